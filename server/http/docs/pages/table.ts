/** Tables of the documentation. The first cell of a row is its header. */
import { html, type Content, type Html } from './html.ts';

const cell = (content: Content, index: number): Html =>
  index === 0 ? html`<th scope="row">${content}</th>` : html`<td>${content}</td>`;

export const row = (...cells: readonly Content[]): Html =>
  html`<tr>
    ${cells.map(cell)}
  </tr> `;

/** A table of several bodies, each of which consists of rows. */
export const table = (headers: readonly string[], bodies: readonly Html[]): Html =>
  html`<table>
    <thead>
      <tr>
        ${headers.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    ${bodies.map(
      (body) =>
        html`<tbody>
          ${body}
        </tbody> `,
    )}
  </table>`;

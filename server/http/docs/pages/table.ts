/** Tables of the documentation. The first cell of a row heads it. */
import { html, type Content, type Html } from './html.ts';

const cell = (content: Content, place: number): Html =>
  place === 0 ? html`<th scope="row">${content}</th>` : html`<td>${content}</td>`;

export const row = (...cells: readonly Content[]): Html => html`<tr>${cells.map(cell)}</tr>
`;

/** A table of bodies, each made of rows. */
export const table = (heads: readonly Content[], bodies: readonly Html[]): Html => html`<table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
${bodies.map(
  (body) => html`<tbody>${body}</tbody>
`,
)}</table>`;

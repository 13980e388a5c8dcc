/** Small plots as SVG: bars by time, and lines. The numbers are in a table for readers who do not see them. */
import { full, type VNode } from '../kit/frame.ts';

export interface Point {
  readonly label: string;
  readonly value: number;
}

interface PlotProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly unit?: string;
}

const width = 320;
const height = 96;

const Numbers = ({ title, points, unit = '' }: PlotProps): VNode => (
  <div class="sr">
    <table>
      <caption>{title}</caption>
      <tbody>
        {points.map(({ label, value }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              {full(value)} {unit}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const maxOf = ({ points }: PlotProps): number => Math.max(0, ...points.map(({ value }) => value));
/** The value at the top. Where all values are 0 there is none, but a scale needs one. */
const topOf = (props: PlotProps): number => Math.max(1, maxOf(props));

/** The greatest value in words: a chart of zeros has the maximum 0. */
function MaxText({ props }: { props: PlotProps }): VNode {
  const max = maxOf(props);
  const unit = props.unit === undefined ? '' : ` ${max === 1 ? props.unit.replace(/s$/, '') : props.unit}`;
  return (
    <span class="plot-max">
      max {full(max)}
      {unit}
    </span>
  );
}

const Frame = ({ props, children }: { props: PlotProps; children: VNode | VNode[] }): VNode => (
  <figure class="plot">
    <figcaption>
      {props.title}
      <MaxText props={props} />
    </figcaption>
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {[0.25, 0.5, 0.75].map((part) => (
        <line key={part} class="plot-grid" x1="0" x2={width} y1={height * part} y2={height * part} />
      ))}
      {children}
    </svg>
    <div class="plot-ends" aria-hidden="true">
      <span>{props.points[0]?.label}</span>
      <span>{props.points.at(-1)?.label}</span>
    </div>
    <Numbers {...props} />
  </figure>
);

/** Bars, one for each point. */
export function Bars(props: PlotProps): VNode {
  const max = topOf(props);
  const step = width / Math.max(1, props.points.length);
  const gap = Math.min(2, step / 4);
  return (
    <Frame props={props}>
      {props.points.map(({ label, value }, index) => {
        const tall = value === 0 ? 0 : Math.max(1.5, (value / max) * height);
        return (
          <rect
            key={label}
            class="plot-bar"
            x={index * step + gap / 2}
            y={height - tall}
            width={step - gap}
            height={tall}
          >
            <title>{`${label}: ${full(value)} ${props.unit ?? ''}`.trim()}</title>
          </rect>
        );
      })}
    </Frame>
  );
}

/** A line through the points, with the area below it. */
export function Line(props: PlotProps): VNode {
  const max = topOf(props);
  const step = width / Math.max(1, props.points.length - 1);
  const path = props.points
    .map(
      ({ value }, index) =>
        `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${(height - (value / max) * (height - 2)).toFixed(1)}`,
    )
    .join(' ');
  return (
    <Frame props={props}>
      <path class="plot-area" d={`${path} L${width} ${height} L0 ${height}Z`} />
      <path class="plot-line" d={path} vector-effect="non-scaling-stroke" />
    </Frame>
  );
}

/** A share of a whole as a bar, such as the questions left. */
export const Gauge = ({
  name,
  value,
  max,
  text,
}: {
  name: string;
  value: number;
  max: number;
  text: string;
}): VNode => (
  <div class="gauge">
    <div class="gauge-text">
      <span>{name}</span>
      <b>{text}</b>
    </div>
    <meter min={0} max={Math.max(1, max)} value={value} aria-label={name} />
  </div>
);

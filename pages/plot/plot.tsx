/** Small plots as SVG: bars by time, and lines. The numbers are in a table for readers who do not see them. */
import { full, type VNode } from '../kit/frame.ts';
import { ticksOf, topOf, type Point } from './scale.ts';

interface PlotProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly unit?: string;
  /** What the points are about: how many things, from when to when, in which time zone. */
  readonly covers?: string;
}

const width = 320;
const height = 96;

const withUnit = (value: number, unit: string | undefined): string =>
  unit === undefined ? full(value) : `${full(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`;

const Numbers = ({ title, points, unit }: PlotProps): VNode => (
  <div class="sr">
    <table>
      <caption>{title}</caption>
      <tbody>
        {points.map(({ label, value }, index) => (
          <tr key={index}>
            <th scope="row">{label}</th>
            <td>{value === null ? 'no data' : withUnit(value, unit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Axis = ({ top, unit }: { top: number; unit: string | undefined }): VNode => (
  <div class="plot-axis" aria-hidden="true">
    {ticksOf(top).map((value, index) => (
      <span key={value}>{index === 0 ? withUnit(value, unit) : full(value)}</span>
    ))}
  </div>
);

/** The first, the middle and the last label. */
const Ends = ({ points }: Pick<PlotProps, 'points'>): VNode => (
  <div class="plot-ends" aria-hidden="true">
    <span>{points[0]?.label}</span>
    {points.length > 8 && <span>{points[Math.floor(points.length / 2)]?.label}</span>}
    {points.length > 1 && <span>{points.at(-1)?.label}</span>}
  </div>
);

const Frame = ({ props, top, children }: { props: PlotProps; top: number; children: VNode | VNode[] }): VNode => (
  <figure class="plot">
    <figcaption>{props.title}</figcaption>
    <div class="plot-field">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, 0.5].map((part) => (
          <line key={part} class="plot-grid" x1="0" x2={width} y1={height * part} y2={height * part} />
        ))}
        {children}
      </svg>
      <Axis top={top} unit={props.unit} />
      <Ends points={props.points} />
    </div>
    {props.covers !== undefined && <p class="plot-covers">{props.covers}</p>}
    <Numbers {...props} />
  </figure>
);

/** Bars, one for each point. */
export function Bars(props: PlotProps): VNode {
  const top = topOf(props.points);
  const step = width / Math.max(1, props.points.length);
  const gap = Math.min(2, step / 4);
  return (
    <Frame props={props} top={top}>
      {props.points.map(({ label, value }, index) => {
        const tall = value === null || value === 0 ? 0 : Math.max(1.5, (value / top) * height);
        return (
          <rect
            key={index}
            class="plot-bar"
            x={index * step + gap / 2}
            y={height - tall}
            width={step - gap}
            height={tall}
          >
            <title>{`${label}: ${value === null ? 'no data' : withUnit(value, props.unit)}`}</title>
          </rect>
        );
      })}
    </Frame>
  );
}

/** The runs of points with values: a line has a gap where there is none. */
function runsOf(points: readonly Point[]): (readonly [index: number, value: number])[][] {
  const runs: (readonly [number, number])[][] = [];
  let open = false;
  for (const [index, { value }] of points.entries()) {
    if (value !== null) {
      if (!open) runs.push([]);
      runs.at(-1)?.push([index, value]);
    }
    open = value !== null;
  }
  return runs;
}

/** A line through the points, with the area below it. */
export function Line(props: PlotProps): VNode {
  const top = topOf(props.points);
  const step = width / Math.max(1, props.points.length - 1);
  return (
    <Frame props={props} top={top}>
      {runsOf(props.points).map((run) => {
        const places = run.map(([index, value]) => [index * step, height - (value / top) * (height - 2)] as const);
        const [x, y] = places[0] ?? [0, 0];
        // A single point is drawn as a short line, otherwise it would be invisible.
        const ends =
          places.length === 1 ? [[Math.max(0, x - 3), y] as const, [Math.min(width, x + 3), y] as const] : places;
        const path = ends
          .map(([at, tall], place) => `${place === 0 ? 'M' : 'L'}${at.toFixed(1)} ${tall.toFixed(1)}`)
          .join(' ');
        return (
          <g key={x}>
            <path
              class="plot-area"
              d={`${path} L${(ends.at(-1)?.[0] ?? 0).toFixed(1)} ${height} L${(ends[0]?.[0] ?? 0).toFixed(1)} ${height}Z`}
            />
            <path class="plot-line" d={path} vector-effect="non-scaling-stroke" />
          </g>
        );
      })}
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

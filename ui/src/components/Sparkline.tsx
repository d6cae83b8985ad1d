// A line of the last figures, as high as a line of text: where it goes, not what it is to the point.
import { createMemo } from 'solid-js';

const WIDTH = 96;
const HEIGHT = 20;
/** Fewer figures go nowhere yet: a speck is no line. */
const SHOWN_MIN = 3;

interface SparklineProps {
  /** Oldest first; a figure that is not known leaves a gap. */
  values: readonly (number | undefined)[];
  /** What fills the height; the largest value where it is less. */
  full: number;
  /** Says in words what the line shows. */
  label: string;
  /** How many values fill the width. */
  slots: number;
}

export function Sparkline(props: SparklineProps) {
  const known = createMemo(() => props.values.filter((value) => value !== undefined).length);
  const path = createMemo(() => sparkPath(known() < SHOWN_MIN ? [] : props.values, props.full, props.slots));
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={props.label} preserveAspectRatio="none">
      <path class="sparkfill" d={path().fill} />
      <path class="sparkpath" d={path().line} />
    </svg>
  );
}

/** The line through `values`, newest at the right edge, and the area below it. */
export function sparkPath(values: readonly (number | undefined)[], full: number, slots: number): { line: string; fill: string } {
  const shown = values.slice(-slots);
  const top = Math.max(full, ...shown.map((value) => value ?? 0), Number.MIN_VALUE);
  const step = WIDTH / Math.max(1, slots - 1);
  const first = slots - shown.length;
  let line = '';
  let fill = '';
  let start: string | undefined;
  let last = '';
  shown.forEach((value, nth) => {
    const x = ((first + nth) * step).toFixed(1);
    if (value === undefined) {
      if (start !== undefined) fill += `L${last} ${HEIGHT}Z`;
      start = undefined;
      return;
    }
    const y = (HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1);
    line += `${start === undefined ? 'M' : 'L'}${x} ${y}`;
    fill += start === undefined ? `M${x} ${HEIGHT}L${x} ${y}` : `L${x} ${y}`;
    start ??= x;
    last = x;
  });
  if (start !== undefined) fill += `L${last} ${HEIGHT}Z`;
  return { line, fill };
}

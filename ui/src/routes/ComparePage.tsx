// The page that compares what several agents made of one prompt.
import { useParams } from '@solidjs/router';
import { Show } from 'solid-js';
import { Compare } from '../features/compare/Compare';

export default function ComparePage() {
  const params = useParams<{ id: string }>();
  return <Show when={params.id} keyed>{(id) => <Compare id={id} />}</Show>;
}

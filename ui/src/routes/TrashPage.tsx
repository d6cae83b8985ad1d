// What was kept before something was taken away.
import { Trash } from '../features/trash/Trash';

export default function TrashPage() {
  return <Trash />;
}

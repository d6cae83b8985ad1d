// The page that starts a task.
import { NewTask } from '../features/compose/NewTask';

export default function NewTaskPage() {
  return <NewTask />;
}

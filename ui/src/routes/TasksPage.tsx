// All tasks as a table.
import { TaskTable } from '../features/tasks/TaskTable';

export default function TasksPage() {
  return <TaskTable />;
}

// Search in the history of all tasks.
import { Search } from '../features/search/Search';

export default function SearchPage() {
  return <Search />;
}

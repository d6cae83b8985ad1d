// Hosts, agent programs and what is missing.
import { Hosts } from '../features/system/Hosts';

export default function HostsPage() {
  return <Hosts />;
}

// The entrance: styles, language, then the application.
import { render } from 'solid-js/web';
import './styles/index.css';
import './components/controls.css';
import './components/overlays.css';
import './components/content.css';
import './components/layout.css';
import { App } from './routes/App';
import { startLanguage } from './i18n';
import { startClock } from './lib/clock';
import { mendStyles } from './lib/styles';

mendStyles();
startClock();
const root = document.getElementById('root');
void startLanguage().finally(() => {
  if (root) render(() => <App />, root);
});

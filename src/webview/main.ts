import './styles/page.css';
import './styles/controls.css';
import './styles/find.css';
import './styles/header.css';
import './styles/menu.css';
import './styles/rows.css';
import './styles/rail.css';
import './styles/content.css';
import './styles/code.css';
import './styles/math.css';
import './styles/composer.css';
import { reportFailures } from './dom/errorReporting.ts';
import { openHostChannel } from './hostChannel.ts';
import { Page } from './page.ts';

const channel = openHostChannel();
reportFailures((reason) => channel.post({ type: 'failed', reason }));
new Page(document.body, channel);

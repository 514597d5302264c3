import { connectEngine } from '../engine/client.ts';
import { mount } from './mount.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
mount(connectEngine(), root);

/** With `--import`: connections to the usual ports of model servers go to the ports that TEST_USUAL_PORTS names, as `11434:40001,…`. */
import { redirectUsualPorts } from '../usual-ports.ts';

const pairs = (process.env['TEST_USUAL_PORTS'] ?? '').split(',').filter((pair) => pair !== '');
redirectUsualPorts(new Map(pairs.map((pair) => pair.split(':').map(Number) as [number, number])));

import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { logTo } from '../../server/http/pipeline/request-log.ts';
import type { RequestSummary } from '../../server/http/pipeline/request-summary.ts';
import { readableFormat } from '../../server/observability/readable-format.ts';

let text = '';
const format = readableFormat({ colours: false });
const logger = pino({}, { write: (json: string) => void (text += format(json)) });

/** What a logged record looks like on a terminal, without its time. */
function written(log: () => void): string {
  text = '';
  log();
  return text.replaceAll(/^\[\d\d:\d\d:\d\d\] /gm, '');
}

const summary: RequestSummary = {
  path: '/social/tweet/replies',
  status: 200,
  ms: 1.234,
  completed: true,
  facts: {
    id: 'r1',
    method: 'GET',
    operationId: 'getTweetReplies',
    keyId: 'k1',
    code: undefined,
    parameter: undefined,
    trace: undefined,
    span: undefined,
    fault: undefined,
  },
};

test('a request is one line with method, path, status, duration and key', () => {
  expect(written(() => logTo(logger)(summary))).toBe('INFO: GET /social/tweet/replies 200 in 1.23 ms · key k1\n');
});

test('the code of an error and its parameter follow', () => {
  const facts = { ...summary.facts, code: 'bad_request', parameter: 'limit' };
  expect(written(() => logTo(logger)({ ...summary, status: 400, facts }))).toBe(
    'INFO: GET /social/tweet/replies 400 in 1.23 ms · key k1 · bad_request of limit\n',
  );
});

test('a failed request shows the stack of its cause', () => {
  const facts = { ...summary.facts, fault: new Error('the cause \u001b[2J') };
  const [head, ...rest] = written(() => logTo(logger)({ ...summary, status: 500, facts })).split('\n');
  expect(head).toMatch(/^ERROR: GET \/social\/tweet\/replies 500 /);
  expect(rest.join('\n')).toMatch(/readable-format\.test\.ts\S*:\d+:/);
  expect(rest.join('\n')).not.toContain('\u001b');
});

test('control characters in a member are escaped', () => {
  expect(written(() => logger.warn({ reason: '\u001b[2J\nINFO: forged' }, 'away'))).toBe(
    'WARN: away {"reason":"\\u001b[2J\\u000aINFO: forged"}\n',
  );
});

test('any other record is its message, with its members on the same line', () => {
  expect(written(() => logger.warn({ path: 'a', records: 3 }, 'records are set aside'))).toBe(
    'WARN: records are set aside {"path":"a","records":3}\n',
  );
});

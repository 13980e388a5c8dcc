/** The help texts and the completion scripts. */
import { commands, type Command } from '../../generated/commands.ts';

/** `lastTweets` is `last-tweets`, `user_id` is `user-id`. */
export const kebab = (name: string): string =>
  name.replace(/_/g, '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const list = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`.trimEnd()).join('\n');
};

/** The options of every command. */
export const commonOptions = {
  'base-url': { type: 'string', description: 'the URL of the service' },
  json: { type: 'boolean', description: 'print JSON (default when the output is no terminal)' },
  jsonl: { type: 'boolean', description: 'print one line of JSON for each item' },
  csv: { type: 'boolean', description: 'print CSV with a line of headings' },
  table: { type: 'boolean', description: 'print a table, or a card for one record (default on a terminal)' },
  debug: { type: 'boolean', description: 'log requests to standard error' },
  help: { type: 'boolean', short: 'h', description: 'show this' },
} as const;
const listOptions: [string, string][] = [
  ['--all', 'all items of all pages'],
  ['--max NUMBER', 'at most so many items, over as many pages as needed'],
];
const common: [string, string][] = Object.entries(commonOptions).map(([name, { type, description }]) => [
  `--${name}${type === 'string' ? ' TEXT' : ''}`,
  description,
]);

/** The commands that are not operations. */
export const special: readonly (readonly [string, string])[] = [
  ['events', 'print events as they happen: --search QUERY, --user NAME, …'],
  ['ask TWEET [QUESTION]', 'ask the assistant about a tweet; the answer appears as it is written'],
  ['mcp', 'serve agents: the tools of the service over standard input and output'],
  ['login URL', 'store the URL and the key (from standard input) in a file that only you can read'],
  ['completion SHELL', 'print the completion script for bash, zsh or fish'],
];

/** The help of the program. */
export const mainHelp = (): string => `Usage: social-data GROUP COMMAND [options]

${list(commands.map(({ group, name, summary }) => [`${group} ${kebab(name)}`, summary]))}

${list(special)}

Options of every command:
${list([...common, ['--version', 'show the version']])}

The key and the URL come from SOCIAL_DATA_API_KEY and SOCIAL_DATA_BASE_URL, or from \`social-data login\`.
Exit code: 0 for success, 1 when the service or the network failed, 2 for a wrong call.
`;

/** What stands for a value in the help. */
const placeholders: Readonly<Record<Command['options'][number]['type'], string>> = {
  string: 'TEXT',
  integer: 'NUMBER',
  number: 'NUMBER',
  boolean: 'true|false',
  strings: 'TEXT …',
  numbers: 'NUMBER …',
  json: 'JSON|@FILE',
  file: 'FILE',
};

/** The help of an operation. */
export function commandHelp({ group, name, summary, description, options, items }: Command): string {
  const own = options.map(({ name: option, type, values, required, description: text }): [string, string] => [
    `--${kebab(option)} ${values?.join('|') ?? placeholders[type]}`,
    `${text}${required ? ' (required)' : ''}`,
  ]);
  const first = options.find(({ required }) => required) ?? options[0];
  const isRepeated = first?.type === 'strings' || first?.type === 'numbers';
  const value =
    first === undefined ? '' : ` [${first.name.toUpperCase().replaceAll('_', '-')}${isRepeated ? ' …' : ''}]`;
  return `Usage: social-data ${group} ${kebab(name)}${value} [options]

${summary}. ${description}

${list([...own, ...(items === undefined ? [] : listOptions), ...common])}
`;
}

/** The help of the other commands. */
export const specialHelp: Readonly<Record<string, string>> = {
  events: `Usage: social-data events --CHANNEL VALUE [--cursor=CURSOR] [options]

Prints events until Ctrl-C, then the cursor to continue from. Channels: --search QUERY, --user NAME, --user-id ID, --mentions NAME,
--replies TWEET, --engagement TWEET, --community ID, --memberships NAME, --pool.

${list([['--max NUMBER', 'end after so many events'], ...common])}
`,
  ask: `Usage: social-data ask TWEET [QUESTION] [options]
       social-data ask --conversation ID QUESTION [options]

${list([['--conversation ID', 'continue a conversation'], ...common])}
`,
  mcp: `Usage: social-data mcp [--base-url URL]

Serves the Model Context Protocol over standard input and output, for programs that start their servers. The tools are those of the service,
at its path /mcp, as far as the scopes of the key permit them.

  { "mcpServers": { "social-data": { "command": "npx", "args": ["-y", "@social-data/client", "mcp"],
    "env": { "SOCIAL_DATA_BASE_URL": "https://social.example", "SOCIAL_DATA_API_KEY": "…" } } } }
`,
  login: `Usage: social-data login URL < FILE-WITH-KEY

Stores the URL and the key. The key comes from standard input, so that it is in no history of a shell.
`,
  completion: `Usage: social-data completion bash|zsh|fish

Example: social-data completion bash > ~/.local/share/bash-completion/completions/social-data
`,
};

/** All words of the command line: groups with their commands and options. */
function words(): { readonly path: string; readonly next: readonly string[] }[] {
  const groups = [...new Set(commands.map(({ group }) => group))];
  const top = [...groups, ...special.map(([name]) => name.split(' ')[0] ?? '')];
  return [
    { path: '', next: top },
    ...groups.map((group) => ({
      path: group,
      next: commands.filter((each) => each.group === group).map(({ name }) => kebab(name)),
    })),
    ...commands.map(({ group, name, options, items }) => ({
      path: `${group} ${kebab(name)}`,
      next: [
        ...options.map((each) => `--${kebab(each.name)}`),
        ...(items === undefined ? [] : ['--all', '--max']),
        ...common.map(([option]) => option.split(' ')[0] ?? ''),
      ],
    })),
  ];
}

/** The completion script of a shell; undefined for an unknown one. */
export function completion(shell: string | undefined): string | undefined {
  const table = words();
  if (shell === 'fish')
    return table
      .flatMap(({ path, next }) =>
        next.map((word) => {
          const condition = path === '' ? '__fish_use_subcommand' : `string match -q -- "*${path}*" (commandline -pc)`;
          return `complete -c social-data -f -n '${condition}' -a '${word}'`;
        }),
      )
      .join('\n')
      .concat('\n');
  if (shell !== 'bash' && shell !== 'zsh') return undefined;
  const cases = table.map(({ path, next }) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_social_data() {
  local words='' line="\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))}"
  line=$(echo "$line" | cut -d' ' -f1,2)
  case "$line" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _social_data social-data
`;
}

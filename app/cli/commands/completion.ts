/**
 * `shoal completion`: a script with which a shell completes commands, options, their choices, and names of scenarios; if nothing is
 * known of a word, files are offered.
 */
import type { Command, Option } from 'commander';
import { EXIT, type Context, type ExitCode } from '../context.ts';
import { shippedScenarios } from '../scenario-source.ts';
import type { SHELLS } from '../program/options.ts';

type Shell = (typeof SHELLS)[number];

/** In single quotes, for any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function argumentsOf({ takesScenario, choices }: CompletedCommand, scenarios: readonly string[]): readonly string[] {
  return takesScenario ? scenarios : choices;
}

/** Offers those of some words that begin as the word before the cursor does. */
function reply(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$word"))`;
}

/** A pattern of `case`: the options that take a value. */
function valued(options: readonly CompletedOption[]): string {
  return options.flatMap(({ names, takesValue }) => (takesValue ? names : [])).join('|');
}

/** A branch of `case`: the choices of the options that have some. */
function choicesCase(options: readonly CompletedOption[]): string[] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map(({ names, choices }) => `    ${names.join('|')}) ${reply(choices)}; return ;;`);
}

/** bash, and zsh by its emulation, which both complete with a function that reads the words before the cursor. */
function functionBody(commands: readonly CompletedCommand[], scenarios: readonly string[]): string[] {
  return [
    '_shoal() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    ${reply(commands.map(({ name }) => name))}`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]}" in',
    ...commands.flatMap((command) => {
      const { name, options } = command;
      const known = argumentsOf(command, scenarios);
      return [
        `  ${name})`,
        '    case "$before" in',
        ...choicesCase(options),
        ...(valued(options) === '' ? [] : [`    ${valued(options)}) COMPREPLY=(); return ;;`]),
        '    esac',
        `    case "$word" in -*) ${reply(options.flatMap(({ names }) => names))}; return ;; esac`,
        ...(known.length > 0 ? [`    ${reply(known)}`] : []),
        '    ;;',
      ];
    }),
    '  esac',
    '}',
  ];
}

function bash(commands: readonly CompletedCommand[], scenarios: readonly string[]): string[] {
  return [...functionBody(commands, scenarios), 'complete -o default -F _shoal shoal'];
}

function zsh(commands: readonly CompletedCommand[], scenarios: readonly string[]): string[] {
  return [
    '#compdef shoal',
    'autoload -U +X bashcompinit && bashcompinit',
    ...functionBody(commands, scenarios),
    'complete -o default -F _shoal shoal',
  ];
}

function fishOption(name: string, { names, help, takesValue, choices }: CompletedOption): string {
  const spelled = names.map((each) => (each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`));
  const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `complete -c shoal -n ${quoted(`__fish_seen_subcommand_from ${name}`)} ${spelled.join(' ')}${value} -d ${quoted(help)}`;
}

function fish(commands: readonly CompletedCommand[], scenarios: readonly string[]): string[] {
  return commands.flatMap((command) => {
    const { name, help, options } = command;
    const known = argumentsOf(command, scenarios);
    const seen = quoted(`__fish_seen_subcommand_from ${name}`);
    return [
      `complete -c shoal -f -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
      ...(known.length > 0 ? [`complete -c shoal -n ${seen} -a ${quoted(known.join(' '))}`] : []),
      ...options.map((option) => fishOption(name, option)),
    ];
  });
}

const WRITERS = { bash, zsh, fish } as const satisfies Readonly<Record<Shell, unknown>>;

/** @returns a script for a shell to read */
export function completionScript(
  shell: Shell,
  commands: readonly CompletedCommand[],
  scenarios: readonly string[],
): string {
  return `${WRITERS[shell](commands, scenarios).join('\n')}\n`;
}

interface CompletedOption {
  /** `--out`, and `-o` where it has one. */
  readonly names: readonly string[];
  readonly help: string;
  readonly takesValue: boolean;
  /** The only values that are allowed; empty if any is. */
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly help: string;
  readonly options: readonly CompletedOption[];
  /** Whether its argument may be the name of a scenario that ships. */
  readonly takesScenario: boolean;
  /** The only values of its argument that are allowed; empty if any is. */
  readonly choices: readonly string[];
}

function completedOption({ long, short, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    names: [long, short].filter((name) => name !== undefined && name !== null),
    help: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** @returns the commands as data */
export function completedCommands(commands: readonly Command[]): readonly CompletedCommand[] {
  return commands.map((command) => {
    const [argument] = command.registeredArguments;
    return {
      name: command.name(),
      help: command.description(),
      options: command.createHelp().visibleOptions(command).map(completedOption),
      takesScenario: argument?.name().startsWith('scenario.json') ?? false,
      choices: argument?.argChoices ?? [],
    };
  });
}

/** @param commands of the program */
export async function completion(
  { terminal, installation }: Context,
  [shell]: readonly string[],
  commands: readonly Command[],
): Promise<ExitCode> {
  const scenarios = await shippedScenarios(installation.root);
  terminal.stdout.write(completionScript(shell as Shell, completedCommands(commands), scenarios));
  return EXIT.done;
}

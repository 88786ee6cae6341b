import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const LIMIT_MS = 60_000
const END_OF_STEP = '\x1e'

/** The lines of a comment at the top of a file that are for a shell: those that are indented. */
export function commandsIn(text: string): string {
  const comment = text.slice(0, text.search(/^[^#]/m))
  return [...comment.matchAll(/^# {5}(.*)$/gm)].map(([, line]) => line).join('\n')
}

export interface Step {
  readonly script: string
  /** The part of the answer that the document shows. */
  readonly answer?: unknown
}

/** The blocks of a document that are for a shell, each with the answer that follows it. */
export function stepsIn(text: string): Step[] {
  return [...text.matchAll(/```sh\n(.*?)```\n(?:\n```json\n(.*?)```)?/gs)].map(([, script = '', answer]) => ({
    script,
    ...(answer !== undefined && { answer: JSON.parse(answer) })
  }))
}

/** Runs scripts one after another in one shell, as a reader would; answers what each printed. The first error ends it. */
export async function runInShell(scripts: readonly string[], env: Record<string, string>): Promise<string[]> {
  // For a reader an error is also an answer; here it has to end the run.
  const strict = 'curl() { command curl -S --fail-with-body "$@"; }\n'
  const script = strict + scripts.map((one) => `${one}\nprintf '${END_OF_STEP}'\n`).join('')
  const options = { cwd: root, env: { PATH: String(process.env.PATH), ...env }, timeout: LIMIT_MS }
  try {
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], options)
    return stdout.split(END_OF_STEP).slice(0, -1)
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`The commands failed: ${stderr}${stdout.slice(-2000)}`, { cause: error })
  }
}

/** Whether the answer has all that the document shows of it, which may leave out fields, and text by `…`. */
export function assertShows(actual: unknown, shown: unknown, where: string): void {
  if (typeof shown === 'string' && shown.includes('…')) {
    assert.equal(typeof actual, 'string', where)
    const pattern = new RegExp(`^${shown.split('…').map(RegExp.escape).join('.*')}$`, 's')
    assert.match(actual as string, pattern, where)
  } else if (Array.isArray(shown)) {
    assert.equal((actual as unknown[]).length, shown.length, where)
    for (const [index, item] of shown.entries()) assertShows((actual as unknown[])[index], item, where)
  } else if (typeof shown === 'object' && shown !== null) {
    for (const [name, value] of Object.entries(shown)) {
      assertShows((actual as Record<string, unknown> | undefined)?.[name], value, `${where}: ${name}`)
    }
  } else {
    assert.equal(actual, shown, where)
  }
}

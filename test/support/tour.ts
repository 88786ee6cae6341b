import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { assertShows, type Step, stepsIn } from './shell-steps.ts'

const root = join(import.meta.dirname, '../..')
const END_OF_STEP = '\x1e'

/** Runs the tour of the README at the server that `BASE` names, and compares every answer with the README. */
export async function takeTour(env: NodeJS.ProcessEnv): Promise<void> {
  const steps = tour()
  const answers = await runSteps(steps, env)
  steps.forEach(({ script, answer }, index) => {
    if (answer === undefined) assert.equal(answers[index], '', script)
    else assertShows(JSON.parse(answers[index] as string), answer, script)
  })
  assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 9)
}

function tour(): Step[] {
  const [, section = ''] = /\n## A tour.*?\n(.*?)\n## /s.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  return stepsIn(section)
}

/** Runs the steps one after another in one shell, as a reader would; answers what each printed. */
async function runSteps(steps: readonly Step[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const script = steps.map((step) => `${step.script}\nprintf '${END_OF_STEP}'\n`).join('')
  const options = { cwd: root, env, timeout: 60_000 }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options)
  return stdout.split(END_OF_STEP).slice(0, -1)
}

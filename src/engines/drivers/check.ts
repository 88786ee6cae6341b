import { SourceError, type SourceErrorCode } from './errors.ts'
import type { Step, StepName } from './index.ts'

export interface StepResult {
  readonly name: StepName
  readonly ok: boolean
  readonly ms: number
  /** Why it failed; null where it did not. */
  readonly code: SourceErrorCode | 'not_tried' | null
  /** The field of the configuration that is at fault, as far as it is one. */
  readonly pointer: string | null
  readonly message: string
}

export interface TestOutcome {
  readonly success: boolean
  readonly message: string
  readonly checks: readonly StepResult[]
  /** Where a right is missing: statements that give it. */
  readonly grants: readonly string[]
}

/** Tries one step after the other until one fails; what stands on it is not tried. Each tells one cause. */
export async function runSteps(steps: readonly Step[], limitMs: number): Promise<TestOutcome> {
  const signal = AbortSignal.timeout(limitMs)
  const checks: StepResult[] = []
  const grants: string[] = []
  let failed: StepResult | undefined
  for (const step of steps) {
    const result = failed === undefined ? await tried(step, signal, limitMs, grants) : notTried(step, failed)
    checks.push(result)
    if (!result.ok) failed ??= result
  }
  if (failed !== undefined)
    return { success: false, message: `The step ${failed.name} failed: ${failed.message}`, checks, grants }
  return {
    success: true,
    message: `Everything that reading needs works: ${checks.at(-1)?.message ?? ''}`,
    checks,
    grants
  }
}

async function tried({ name, run }: Step, signal: AbortSignal, limitMs: number, grants: string[]): Promise<StepResult> {
  const startedMs = performance.now()
  const took = () => Math.round(performance.now() - startedMs)
  try {
    signal.throwIfAborted()
    const message = await run(signal)
    return { name, ok: true, ms: took(), code: null, pointer: null, message }
  } catch (error) {
    const known = toSourceError(error, signal, limitMs)
    grants.push(...known.grants)
    return { name, ok: false, ms: took(), code: known.code, pointer: known.pointer ?? null, message: known.message }
  }
}

function toSourceError(error: unknown, signal: AbortSignal, limitMs: number): SourceError {
  if (error instanceof SourceError) return error
  if (signal.aborted && error === signal.reason) {
    return new SourceError(
      'timeout',
      `There was no answer within ${limitMs / 1000} s; try again, or see what it waits for`
    )
  }
  throw error
}

function notTried({ name }: Step, failed: StepResult): StepResult {
  const message = `Not tried, because ${failed.name} did not work`
  return { name, ok: false, ms: 0, code: 'not_tried', pointer: null, message }
}

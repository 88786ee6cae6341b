import type { Check, TestResult } from '../schema.ts'
import type { CheckName } from './names.ts'

/** Checks that may fail: the platform then works in another way, or goes without. */
const SPARE: readonly CheckName[] = ['clock', 'multipart', 'conditional-write', 'presign']

export function summarise(checks: readonly Check[]): TestResult {
  const isSpare = ({ name }: Check) => (SPARE as readonly string[]).includes(name)
  const failed = checks.filter(({ ok }) => !ok)
  const success = failed.every(isSpare)
  return {
    success,
    message: success ? praise(failed) : blame(failed.filter((check) => !isSpare(check))),
    checks: [...checks]
  }
}

function praise(failed: readonly Check[]): string {
  if (failed.length === 0) return 'Everything works.'
  const names = failed.map(({ name }) => name).join(', ')
  return `Everything that the platform needs works; what does not, and is not needed: ${names}.`
}

/** The first check that failed; the others mostly follow from it. */
function blame(failed: readonly Check[]): string {
  const { name, message } = failed.find(({ code }) => code !== 'not_tried') ?? (failed[0] as Check)
  return `The check ${name} failed: ${message}.`
}

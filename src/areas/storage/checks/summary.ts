import type { Check, TestResult } from '../schema.ts'
import type { CheckName } from './names.ts'

/** What the platform can do without: it then does it in another way, or not at all. */
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

/** The first that was tried; the others mostly follow from it. */
function blame(failed: readonly Check[]): string {
  const { name, message } = failed.find(({ code }) => code !== 'not_tried') ?? (failed[0] as Check)
  return `The check ${name} failed: ${message}.`
}

import type { Check, TestResult } from '../schema.ts'
import type { CheckName } from './names.ts'

/** Checks that may fail: the platform then works in another way, or goes without. */
const OPTIONAL_CHECKS: readonly CheckName[] = ['clock', 'multipart', 'conditional-write', 'presign']

export function summarise(checks: readonly Check[]): TestResult {
  const isOptional = ({ name }: Check) => (OPTIONAL_CHECKS as readonly string[]).includes(name)
  const failed = checks.filter(({ ok }) => !ok)
  const success = failed.every(isOptional)
  return {
    success,
    message: success ? successSummary(failed) : failureSummary(failed.filter((check) => !isOptional(check))),
    checks: [...checks]
  }
}

function successSummary(failed: readonly Check[]): string {
  if (failed.length === 0) return 'Everything works.'
  const names = failed.map(({ name }) => name).join(', ')
  return `Everything that the platform needs works; what does not, and is not needed: ${names}.`
}

/** The first check that failed; the others mostly follow from it. */
function failureSummary(failed: readonly Check[]): string {
  const { name, message } = failed.find(({ code }) => code !== 'not_tried') ?? (failed[0] as Check)
  return `The check ${name} failed: ${message}.`
}

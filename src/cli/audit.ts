import { type Command, parseArguments } from './command.ts'

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Check that the audit trail was not tampered with',
  help: `Usage: millrace audit verify [--json]

Checks every row of the audit trail, where it ends, its signed checkpoints, and the copies of these in
DATA_DIR/audit-checkpoints.ndjson. Changes nothing, and works while the server runs.
Exit code 0: the trail is whole; 1: it is not, or it can't be checked.

  --json  Print the findings as JSON`,

  async run(args, env) {
    const { values } = parseArguments({ args, options: { json: { type: 'boolean', default: false } } })
    const { readConfig } = await import('../areas.ts')
    const { describeVerification, verifyChain } = await import('./audit-chain.ts')
    const verification = await verifyChain(readConfig(env))
    if (values.json) console.log(JSON.stringify(verification))
    else if (verification.ok) console.log(describeVerification(verification))
    else console.error(describeVerification(verification))
    return verification.ok ? 0 : 1
  }
}

import { type Command, parseArguments } from './command.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the settings and everything the server needs',
  help: `Usage: millrace doctor [--deep]

Checks the settings, Node, DATA_DIR, the port, the database, the secret, the audit trail, the objects, the time series,
replicas, storage providers elsewhere, pipelines (those that failed or do not get on, dead letters that wait), the fence around SQL of users, the
identity provider and the clock. Each line begins with ok, warn or FAIL and says what is wrong and how to mend it. Changes
nothing, and works while the server runs. Exit code 1 where anything FAILs.

  --deep  Also read everything on this disk once, objects, time series and databases, and compare it with its checksums.
          Takes as long as reading DATA_DIR does; says on stderr how far it is`,

  async run(args, env) {
    const { values } = parseArguments({ args, options: { deep: { type: 'boolean', default: false } } })
    const { examine } = await import('./doctor/examine.ts')
    const counts = { ok: 0, warn: 0, FAIL: 0 }
    await examine(env, values.deep, ({ level, subject, message }) => {
      counts[level]++
      console.log(`${level.padEnd(4)}  ${subject.padEnd(11)}  ${message}`)
    })
    console.log(`\n${counts.FAIL} failed, ${counts.warn} warnings, ${counts.ok} ok`)
    return counts.FAIL > 0 ? 1 : 0
  }
}

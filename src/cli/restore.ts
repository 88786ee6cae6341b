import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { Manifest } from './backup/manifest.ts'
import { type Command, parseArguments, Trouble, UsageError } from './command.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Put a backup back into DATA_DIR',
  help: `Usage: millrace restore <folder> [--force]

Puts back what 'millrace backup' has written to the folder, once every checksum was found right, also that of every
object and of every file of time series, and then checks the audit trail. Stop the server first. The backup itself is left
as it is.

  --force  Even if DATA_DIR is not empty: what it holds is moved to a folder before-restore-<time> in it, not deleted

With DATABASE_URL set it puts back what is local; restore PostgreSQL with pg_restore or psql.
With SERIES_URL set, restore the time series there with ClickHouse's own tools.`,

  async run(args, env) {
    const options = { force: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArguments({ args, options, allowPositionals: true })
    const [named, ...others] = positionals
    if (!named || others.length > 0) throw new UsageError('Name one folder that holds a backup.')
    const { readConfig } = await import('../areas.ts')
    const { systemClock } = await import('../engines/clock.ts')
    const { readManifest } = await import('./backup/manifest.ts')
    const { withProgress } = await import('./backup/progress.ts')
    const { putBack } = await import('./backup/put-back.ts')
    const config = readConfig(env)
    const folder = resolve(named)
    const manifest = readManifest(folder)
    await requireFit(config, manifest)
    const aside = await withProgress(systemClock, (progress) =>
      putBack({ config, folder, manifest, force: values.force, clock: systemClock, progress })
    )
    console.log(`The backup of ${manifest.time}, made by version ${manifest.version}, is back in ${config.dataDir}.`)
    if (aside !== undefined) console.log(`What was there before is in ${aside}.`)
    if (config.seriesUrl !== undefined) {
      console.log("Restore the time series at SERIES_URL too, with ClickHouse's own tools.")
    }
    return verify(config)
  }
}

/** Refuses a backup that does not fit the settings, before anything was touched. */
async function requireFit(config: Config, { files }: Manifest): Promise<void> {
  const { METADATA_PART, SECRET_PART } = await import('./backup/parts.ts')
  const holds = (name: string) => files.some((file) => file.name === name)
  if (holds(METADATA_PART) && config.databaseUrl !== undefined) {
    throw new Trouble('The backup holds an embedded database, but DATABASE_URL is set: unset it to restore this one.')
  }
  if (!holds(METADATA_PART) && config.databaseUrl === undefined) {
    throw new Trouble('The backup was made with DATABASE_URL set and holds no database: set it to restore this one.')
  }
  if (!holds(SECRET_PART) && config.secretKeys === undefined) {
    throw new Trouble('The backup was made with SECRET_KEY set and holds no secret: set it to what it was then.')
  }
}

async function verify(config: Config): Promise<number> {
  if (config.databaseUrl !== undefined) {
    console.log("Restore the PostgreSQL database too, then check both with 'millrace audit verify'.")
    return 0
  }
  const { describeVerification, verifyChain } = await import('./audit-chain.ts')
  const verification = await verifyChain(config)
  if (verification.ok) console.log(describeVerification(verification))
  else console.error(describeVerification(verification))
  return verification.ok ? 0 : 1
}

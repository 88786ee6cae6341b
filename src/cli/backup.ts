import { resolve } from 'node:path'
import { type Command, parseArguments, UsageError } from './command.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Copy everything that matters to a new folder',
  help: `Usage: millrace backup <folder>

Copies the database, the secret, the anchors of the audit trail, and the objects and time series that are on this disk from
DATA_DIR to a folder that does not exist yet, with a manifest of checksums. The server may be running, and is not held up.
Everything that it had acknowledged before the backup began is in it; uploads in parts that are not complete are not. Keep
the folder as safe as the server: it holds the secret.

With DATABASE_URL set it copies what is local; back PostgreSQL up with pg_dump, right after this.
With OBJECTS_URL set, and for other providers of objects, copy the buckets there with the tools of that store.
With SERIES_URL set, back the time series up with ClickHouse's own tools.
A secret from SECRET_KEY is not copied: keep it elsewhere.

Everything is compared with its checksums as it is copied. What is damaged is named, and does not keep the rest from being
copied: the backup is complete but for that, and can be restored. Exit code 1 says so.`,

  async run(args, env) {
    const { positionals } = parseArguments({ args, options: {}, allowPositionals: true })
    const [folder, ...others] = positionals
    if (!folder || others.length > 0) throw new UsageError('Name one folder to write the backup to.')
    const { readConfig } = await import('../areas.ts')
    const { systemClock } = await import('../engines/clock.ts')
    const { withProgress } = await import('./backup/progress.ts')
    const { writeBackup } = await import('./backup/write.ts')
    const config = readConfig(env)
    const damaged = await withProgress(systemClock, async (progress) => {
      const { files, damaged: found = [] } = await writeBackup(config, resolve(folder), systemClock, progress)
      console.log(`The backup is in ${resolve(folder)}:`)
      for (const { name, sizeBytes } of files) console.log(`  ${name}  ${sizeBytes} bytes`)
      for (const total of progress.totals()) console.log(`  ${total}`)
      return found
    })
    if (config.secretKeys !== undefined) console.log('SECRET_KEY is not in it: keep a copy of that elsewhere.')
    if (config.objectsUrl !== undefined) {
      console.log('The objects at OBJECTS_URL are not in it: copy them with the tools of that store.')
    }
    if (config.seriesUrl !== undefined) {
      console.log("The time series at SERIES_URL are not in it: back them up with ClickHouse's own tools.")
    }
    if (config.databaseUrl !== undefined) {
      console.log('The PostgreSQL database is not in it: back that up with pg_dump now, after this and not before.')
    }
    for (const each of damaged) console.error(`Damaged: ${each}.`)
    if (damaged.length > 0) console.error("The rest is sound. Keep older backups, and see what 'millrace doctor' says.")
    return damaged.length > 0 ? 1 : 0
  }
}

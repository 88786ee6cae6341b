import { type Command, parseArguments, Trouble, UsageError } from './command.ts'

export const diskForget: Command = {
  name: 'disk forget',
  summary: 'Give up a disk that points or objects were on',
  help: `Usage: millrace disk forget <id>

For replicas that share a PostgreSQL database (DATABASE_URL) without SERIES_URL or OBJECTS_URL. The database knows on whose
disk points and objects are, and the others refuse them until that one is started again: 'millrace doctor' says which it
is. Where its DATA_DIR is lost for good, this forgets it, and the first replica that keeps something next, or has some
already, takes its place within seconds. What was only on the lost disk stays lost: sources have no points from before,
and buckets that were there give errors until they are deleted.

A DATA_DIR that was moved, copied or restored from a backup has its id in it, and need not be forgotten.`,

  async run(args, env) {
    const { positionals } = parseArguments({ args, options: {}, allowPositionals: true })
    const [id, ...others] = positionals
    if (!id || others.length > 0) throw new UsageError("Name the id of one disk, which 'millrace doctor' shows.")
    const { readConfig } = await import('../config.ts')
    const { systemClock } = await import('../engines/clock.ts')
    const { openMetadata } = await import('../engines/metadata/index.ts')
    const { countReplicas, forgetDisk } = await import('../engines/replicas/index.ts')
    const { metadataFile } = await import('../platform.ts')
    const config = readConfig(env)
    if (config.databaseUrl === undefined) {
      throw new Trouble('DATABASE_URL is not set: what is not shared is in DATA_DIR, and nowhere else.')
    }
    const metadata = await openMetadata({ databaseUrl: config.databaseUrl, file: metadataFile(config) })
    try {
      if ((await countReplicas(metadata.db, systemClock, id)) > 0) {
        throw new Trouble(`A replica is running on ${id}, or did some seconds ago: stop it first.`)
      }
      if (!(await metadata.transaction((tx) => forgetDisk(tx, id)))) {
        throw new Trouble(`Nothing is kept on a disk ${id}: 'millrace doctor' shows which disks there are.`)
      }
    } finally {
      await metadata.close()
    }
    console.log(`${id} is forgotten: the next replica that keeps points or objects takes its place.`)
    return 0
  }
}

import type { Area } from '../../area.ts'
import { AREAS, readConfig } from '../../areas.ts'
import { type Config, ConfigError } from '../../config.ts'
import { type Clock, systemClock } from '../../engines/clock.ts'
import type { Vault } from '../../engines/vault/index.ts'
import { type Finding, fail, type Installation, ok, reasonOf, warn } from '../../finding.ts'
import { descriptorLimit } from '../../http/limits.ts'
import { misspeltSettings } from '../../misspelt-settings.ts'
import { openKnownVault } from '../vault.ts'
import { checkClock } from './clock.ts'
import { checkDataDir } from './data-dir.ts'
import { readEverything } from './deep.ts'
import { checkIdentity } from './identity.ts'
import { checkKept } from './kept-files.ts'
import { checkMigrations, checkSecret, isInUse, openPatientMetadata } from './metadata.ts'
import { checkObjects } from './objects.ts'
import { checkServer } from './port.ts'
import { checkReplicas } from './replicas.ts'
import { checkDescriptors, checkRuntime } from './runtime.ts'
import { checkSeries } from './series.ts'
import { checkSqlFence } from './sql-fence.ts'

/** Runs all checks; yields each finding as soon as there is one. */
export async function examine(
  env: NodeJS.ProcessEnv,
  isDeep: boolean,
  tell: (finding: Finding) => void,
  areas: readonly Area[] = AREAS
): Promise<void> {
  tell(checkRuntime(process.versions.node))
  tell(checkDescriptors(descriptorLimit()))
  for (const misspelt of misspeltSettings(env)) tell(warn('settings', misspelt))
  const config = readableConfig(env, tell)
  if (config !== undefined) await examineInstallation(config, isDeep, systemClock, tell, areas)
}

function readableConfig(env: NodeJS.ProcessEnv, tell: (finding: Finding) => void): Config | undefined {
  try {
    const config = readConfig(env)
    tell(ok('settings', 'all valid'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) tell(fail('settings', problem))
    return undefined
  }
}

async function examineInstallation(
  config: Config,
  isDeep: boolean,
  clock: Clock,
  tell: (finding: Finding) => void,
  areas: readonly Area[]
): Promise<void> {
  const { finding, metadata } = await openPatientMetadata(config)
  const vault = metadata !== undefined && (await isInUse(metadata)) ? readableVault(config, tell) : undefined
  const installation: Installation = { config, clock, vault, metadata }
  const check = async (subject: string, run: () => Finding[] | Promise<Finding[]>) => {
    try {
      for (const found of await run()) tell(found)
    } catch (error) {
      tell(fail(subject, `it can't be checked: ${reasonOf(error)}`))
    }
  }
  try {
    await check('data folder', () => checkDataDir(installation))
    await check('server', async () => [await checkServer(installation)])
    tell(finding)
    await check('schema', () => checkMigrations(installation))
    await check('vault', () => checkSecret(installation))
    await check('objects', () => checkObjects(installation))
    await check('series', () => checkSeries(installation, isDeep))
    if (isDeep) await check('deep', () => Array.fromAsync(readEverything(installation)))
    await check('replicas', () => checkReplicas(installation))
    await check('kept files', () => checkKept(installation, areas))
    for (const { name, examine } of areas) if (examine !== undefined) await check(name, () => examine(installation))
    await check('sql fence', checkSqlFence)
    const { findings, providerDate } = await checkIdentity(installation)
    for (const found of findings) tell(found)
    await check('clock', async () => [await checkClock(installation, providerDate)])
  } finally {
    await metadata?.close()
  }
}

function readableVault(config: Config, tell: (finding: Finding) => void): Vault | undefined {
  try {
    return openKnownVault(config)
  } catch (error) {
    tell(fail('secret', reasonOf(error)))
    return undefined
  }
}

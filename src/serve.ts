import { type App, buildApp, VERSION } from './app.ts'
import { readConfig } from './areas.ts'
import type { Config } from './config.ts'
import { keepCompiledCode } from './engines/compiled-code.ts'
import { loadSchemaLibraries } from './http/schema-libraries.ts'
import { misspeltSettings } from './misspelt-settings.ts'
import { openPlatform, type Platform } from './platform.ts'
import { reasonOf, StartProblem } from './start-problems.ts'

const FIRST_TOKEN_TTL_MS = 12 * 3600_000
const SHUTDOWN_LIMIT_MS = 30_000
/** Those who wait for the server to be ready have asked and been answered by then. */
const LOAD_AFTER_MS = 1000

/** The whole life of the process: config → platform → app → listen → close. */
export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const { config, platform, app, firstToken } = await start(env)
  process.on('unhandledRejection', (error) => platform.log.error({ err: error }, 'unhandled rejection'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(platform, app, signal))
  announce(config, platform, app, firstToken)
  setTimeout(loadSchemaLibraries, LOAD_AFTER_MS).unref()
  keepCompiledCode()
}

async function start(env: NodeJS.ProcessEnv) {
  let config: Config | undefined
  try {
    config = readConfig(env)
    const platform = await openPlatform(config)
    for (const misspelt of misspeltSettings(env)) platform.log.warn({}, misspelt)
    const app = buildApp(platform)
    const { firstStart } = await app.start()
    const firstToken = firstStart ? await issueFirstToken(platform) : undefined
    await listen(app, config)
    return { config, platform, app, firstToken }
  } catch (error) {
    console.error(reasonOf(error, config))
    console.error("\n'npm run -s millrace -- doctor' checks the configuration and every engine.")
    process.exit(1)
  }
}

async function listen({ http }: App, { host, port }: Config): Promise<void> {
  try {
    await http.listen({ host, port })
  } catch (error) {
    throw new StartProblem(`The server can't listen: ${(error as Error).message}. Set another HOST or PORT.`)
  }
}

function issueFirstToken({ issuer }: Platform): Promise<string> | undefined {
  return issuer?.issue({ subject: 'admin', name: 'Administrator', roles: ['admin'], ttlMs: FIRST_TOKEN_TTL_MS })
}

/** Written in one go, without waiting: a program that reads the first line may stop the server at once. */
function announce(config: Config, { issuer, log }: Platform, app: App, firstToken: string | undefined): void {
  const address = config.publicUrl ?? app.http.listeningOrigin
  console.log(`Millrace ${VERSION} is ready at ${address}`)
  console.log(`  API reference  ${address}/api/docs`)
  if (issuer === undefined)
    console.log(`  Sign in        with a token of ${config.oidc?.issuer ?? config.oidc?.jwksUrl}`)
  else if (firstToken === undefined) {
    console.log(`  Sign in        ${address}/`)
    console.log('  New token      npm run -s millrace -- token --user admin --role admin')
  } else {
    console.log(`  Sign in        ${address}/#token=${firstToken}`)
    console.log(`  Admin token    ${firstToken}`)
    console.log('  The token is shown this once and works for 12 hours.')
  }
  // After the lines for people, so that the log line is not amid them.
  log.info({ version: VERSION, address }, 'ready')
}

/** Phases in order: no new requests, finish those under way, background work, engines. A second signal ends it at once. */
async function stop(platform: Platform, app: App, signal: NodeJS.Signals): Promise<void> {
  for (const second of ['SIGINT', 'SIGTERM'] as const) process.once(second, () => process.exit(1))
  const limit = setTimeout(() => {
    platform.log.error({}, 'shutdown took too long; leaving what is left')
    process.exit(1)
  }, SHUTDOWN_LIMIT_MS)
  const startedMs = platform.clock.elapsed()
  platform.log.info({ signal }, 'stopping: requests under way are finished, no new ones are taken')
  await app.stop()
  await platform.close()
  clearTimeout(limit)
  platform.log.info({ ms: Math.round(platform.clock.elapsed() - startedMs) }, 'stopped')
}

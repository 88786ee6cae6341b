import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { missingFile, missingPrograms } from './installed.ts'
import { makeFolder, removeFolder, runProgram, startService } from './service.ts'

const root = join(import.meta.dirname, '../../..')
/** A minimal Debian, made by `scripts/install-test-servers`. */
const base = join(root, '.servers/debian.tar')
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const BASE_IMAGE = 'millrace-test/base'
const NODE_IMAGE = 'millrace-test/node'
const BUILD_LIMIT_MS = 900_000

export interface Docker {
  /** Runs a command of Docker's to its end; answers what it printed. */
  run(...args: readonly string[]): Promise<string>
  /** The environment for Docker commands that other programs run. */
  readonly env: Readonly<Record<string, string>>
  /** Builds the image of the project, from packages that npm and Debian bring. */
  build(tag: string): Promise<void>
  /** Stops it and removes all that it has made. */
  stop(): Promise<void>
}

export function missingDocker(): string | undefined {
  const missing = missingPrograms('docker', 'dockerd') ?? missingFile('the base of the container image', base)
  if (missing !== undefined || process.getuid?.() === 0) return missing
  return 'dockerd needs root'
}

/**
 * A daemon of this suite's own, with all that it keeps in a folder of its own. It changes no rules of the machine's firewall
 * and makes no bridge: containers have the machine's network, or none.
 */
export async function startDocker(): Promise<Docker> {
  const folder = makeFolder('docker')
  const host = `unix://${join(folder, 'docker.sock')}`
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, DOCKER_HOST: host }
  const docker = async (args: readonly string[], timeout: number) => {
    const { stdout, stderr } = await promisify(execFile)('docker', [...args], { env, timeout, maxBuffer: 2 ** 26 })
    return stdout + stderr
  }
  const run = (...args: readonly string[]) => docker(args, 60_000)
  const places = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'run'), '-p', join(folder, 'pid')]
  const daemon = await startService(
    { command: 'dockerd', args: ['-H', host, ...places, '--iptables=false', '--bridge=none'], folder },
    () => run('version')
  )
  return {
    run,
    env,
    async build(tag) {
      await docker(['import', base, BASE_IMAGE], BUILD_LIMIT_MS)
      await docker(['build', '--network', 'host', '-t', NODE_IMAGE, await nodeContext(folder)], BUILD_LIMIT_MS)
      const args = ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--build-arg', `BASE_IMAGE=${BASE_IMAGE}`]
      await docker(['build', '--network', 'host', '-t', tag, ...args, root], BUILD_LIMIT_MS)
    },
    async stop() {
      const left = (await run('ps', '-aq')).split('\n').filter((id) => id !== '')
      if (left.length > 0) await run('rm', '--force', '--volumes', ...left)
      await daemon.stop()
      await unmount(folder)
      removeFolder(folder)
    }
  }
}

/** A stand-in for the image with npm: the Node of this project and the npm of this machine, with its registry. */
async function nodeContext(folder: string): Promise<string> {
  const context = join(folder, 'node')
  mkdirSync(context)
  copyFileSync(process.execPath, join(context, 'node'))
  cpSync(npmFolder(), join(context, 'npm'), { recursive: true })
  copyFileSync(certificates, join(context, 'certificates.crt'))
  const registry = (await runProgram({ command: 'npm', args: ['config', 'get', 'registry'], folder })).trim()
  writeFileSync(
    join(context, 'Dockerfile'),
    `FROM ${BASE_IMAGE}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY certificates.crt ${certificates}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=${certificates} npm_config_registry=${registry}
`
  )
  return context
}

function npmFolder(): string {
  const found = String(process.env.PATH)
    .split(delimiter)
    .map((name) => join(name, 'npm'))
    .find(existsSync)
  if (found === undefined) throw new Error('npm is not in PATH')
  return dirname(dirname(realpathSync(found)))
}

/** The daemon leaves its network mount behind. */
async function unmount(folder: string): Promise<void> {
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`))
  for (const path of mounted.reverse()) await runProgram({ command: 'umount', args: [path], folder })
}

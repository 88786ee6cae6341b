import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { answers, runProgram, type Service, startService } from './service.ts'

export interface MetricsServer {
  readonly host: '127.0.0.1'
  readonly port: number
  stop(): Promise<void>
  /** Starts it again on the same port with the same data; a running one is killed first. */
  restart(): Promise<void>
}

export interface PrometheusOptions {
  /** What it holds, as lines of OpenMetrics. */
  readonly samples?: readonly string[]
  /** Whether `PROMETHEUS_USER` has to sign in; otherwise everybody may ask. */
  readonly hasUsers?: boolean
  /** As PEM; without it connections are plain. */
  readonly certificate?: { readonly key: string; readonly cert: string }
}

/** The only one who may sign in; the server wants the password by bcrypt. */
export const PROMETHEUS_USER = { user: 'reader', password: 'reader-pass' }
const HASH = '$2b$04$abcdefghijklmnopqrstuuUF7fMioUdfsqprVze.Wu17Eit7ta.iK'

export function missingPrometheus(): string | undefined {
  return missingPrograms('prometheus', 'promtool')
}

export function missingVictoria(): string | undefined {
  return missingPrograms('victoria-metrics')
}

export async function startPrometheus(parent: string, options: PrometheusOptions = {}): Promise<MetricsServer> {
  const folder = join(parent, 'prometheus')
  mkdirSync(join(folder, 'data'), { recursive: true })
  const { samples = [], hasUsers = false, certificate } = options
  if (samples.length > 0) {
    writeFileSync(join(folder, 'samples.txt'), `${samples.join('\n')}\n# EOF\n`)
    // In few blocks: one for every two hours, as is usual, takes a busy machine half a minute.
    const args = ['tsdb', 'create-blocks-from', '--max-block-duration=720h', 'openmetrics', 'samples.txt', 'data']
    await runProgram({ command: 'promtool', args, folder })
  }
  for (const [name, text] of Object.entries(certificate ?? {})) writeFileSync(join(folder, `${name}.pem`), text)
  const web = [
    ...(hasUsers ? ['basic_auth_users:', `  ${PROMETHEUS_USER.user}: ${HASH}`] : []),
    ...(certificate === undefined ? [] : ['tls_server_config:', '  cert_file: cert.pem', '  key_file: key.pem'])
  ]
  writeFileSync(join(folder, 'web.yml'), `${web.join('\n')}\n`)
  writeFileSync(join(folder, 'prometheus.yml'), 'global: {}\n')
  const port = await freePort()
  const args = [
    '--config.file=prometheus.yml',
    '--web.config.file=web.yml',
    '--storage.tsdb.path=data',
    '--storage.tsdb.retention.time=100y',
    `--web.listen-address=127.0.0.1:${port}`
  ]
  return running(port, () =>
    // It answers before it has read its data, and is silent about that where one has to sign in.
    startService({ command: 'prometheus', args, folder }, async (output) => {
      return output.includes('Server is ready') && (await answers(`http://127.0.0.1:${port}/-/ready`))
    })
  )
}

/** A VictoriaMetrics with these samples, each as a line with its time in milliseconds. */
export async function startVictoria(parent: string, samples: readonly string[]): Promise<MetricsServer> {
  const folder = join(parent, 'victoria')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, '-retentionPeriod=100y']
  const launch = () => startService({ command: 'victoria-metrics', args, folder }, () => answers(`${url}/health`))
  const filled = await launch()
  await fetch(`${url}/api/v1/import/prometheus`, { method: 'POST', body: samples.join('\n') })
  await filled.stop('SIGINT') // writes everything to the disk
  return running(port, launch)
}

async function running(port: number, launch: () => Promise<Service>): Promise<MetricsServer> {
  let service = await launch()
  return {
    host: '127.0.0.1',
    port,
    stop: () => service.stop('SIGKILL'),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

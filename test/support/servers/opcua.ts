import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingFile, serverFile } from './installed.ts'
import { type Service, startService } from './service.ts'

const main = join(import.meta.dirname, 'opcua-main.mjs')
const installed = serverFile('opcua', '')

export interface OpcuaServer {
  readonly host: '127.0.0.1'
  readonly port: number
  readonly path: '/UA'
  /** The only one who may sign in. */
  readonly user: { readonly user: string; readonly password: string }
  /** A folder with the packages of the client, and room for what it keeps. */
  readonly packagesFolder: string
  /** As PEM. */
  certificate(): string
  stop(): Promise<void>
  /** Starts it again on the same port with the same values; a running one is killed first. */
  restart(): Promise<void>
}

export function missingOpcua(): string | undefined {
  return missingFile('node-opcua-server', serverFile('opcua', 'node-opcua-server/package.json'))
}

/** A server whose variable `ns=1;s=History` had so many values, from 1 on, one in each millisecond. */
export async function startOpcua(folder: string, points: number): Promise<OpcuaServer> {
  const packagesFolder = join(folder, 'client')
  mkdirSync(packagesFolder, { recursive: true })
  symlinkSync(installed, join(packagesFolder, 'node_modules'))
  const port = await freePort()
  const args = [main, packagesFolder, folder, String(port), String(points)]
  const launch = () =>
    startService({ command: process.execPath, args, folder }, (output) => output.includes('listening'))
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    path: '/UA',
    user: { user: 'reader', password: 'reader-pass' },
    packagesFolder,
    certificate: () => readFileSync(join(folder, 'pki/own/certs/certificate.pem'), 'utf8'),
    stop: () => service.stop('SIGKILL'),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

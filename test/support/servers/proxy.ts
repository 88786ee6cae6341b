import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers, startService } from './service.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

/** An nginx with these blocks of `http`, which listen on this port of the loopback. */
export async function startProxy(folder: string, blocks: string, port: number): Promise<Proxy> {
  const config = join(folder, 'proxy.conf')
  mkdirSync(join(folder, 'temporary'), { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path "${join(folder, 'temporary', name)}";`)
    .join('\n')
  writeFileSync(
    config,
    `daemon off;
master_process off;
pid "${join(folder, 'proxy.pid')}";
events { worker_connections 512; }
http {
  access_log off;
${temporary}
${blocks}
}
`
  )
  const url = `http://127.0.0.1:${port}`
  const args = ['-c', config, '-p', folder, '-e', 'stderr']
  const service = await startService({ command: 'nginx', args, folder }, () => answers(url))
  return { url, stop: () => service.stop() }
}

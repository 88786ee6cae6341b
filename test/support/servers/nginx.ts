import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingFile, missingPrograms } from './installed.ts'
import { answers, startService } from './service.ts'

const davModule = '/usr/lib/nginx/modules/ngx_http_dav_ext_module.so'

export interface Nginx {
  readonly url: string
  /** The folder whose files it serves. */
  readonly root: string
  stop(): Promise<void>
}

export function missingNginx(): string | undefined {
  return missingPrograms('nginx') ?? missingFile("nginx's WebDAV module", davModule)
}

/** Files over HTTP and WebDAV, from a folder below this one; the folder itself stays when it has stopped. */
export async function startNginx(folder: string): Promise<Nginx> {
  const root = join(folder, 'root')
  const config = join(folder, 'nginx.conf')
  mkdirSync(root, { recursive: true })
  const port = await freePort()
  writeFileSync(config, nginxConfig(folder, root, port))
  const url = `http://127.0.0.1:${port}`
  const service = await startService(
    { command: 'nginx', args: ['-c', config, '-p', folder, '-e', 'stderr'], folder },
    () => answers(url)
  )
  return { url, root, stop: () => service.stop() }
}

/**
 * A single process, so that it can be stopped. Uploads are renamed into place, so they have to be on the same file
 * system.
 */
function nginxConfig(folder: string, root: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path "${join(folder, 'temporary', name)}";`)
    .join('\n')
  mkdirSync(join(folder, 'temporary'), { recursive: true })
  return `load_module ${davModule};
daemon off;
master_process off;
pid "${join(folder, 'nginx.pid')}";
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  client_max_body_size 0;
${temporary}
  server {
    listen 127.0.0.1:${port};
    location / {
      root "${root}";
      dav_methods PUT DELETE MKCOL COPY MOVE;
      dav_ext_methods PROPFIND OPTIONS;
      create_full_put_path on;
    }
  }
}
`
}

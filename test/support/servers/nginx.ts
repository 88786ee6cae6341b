import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { missingFile, missingPrograms } from './installed.ts'
import { answers, makeFolder, removeFolder, startService } from './service.ts'

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

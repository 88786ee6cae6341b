import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { missingVsftpd, startVsftpd } from '../../../../test/support/servers/vsftpd.ts'
import type { Certificate } from '../../outbound/testing/certificate.ts'
import { driverContract } from '../testing/contract.ts'
import {
  FILES_CONFIG,
  fault,
  LONG_AGO,
  putFile,
  putFilesUnderTest,
  STREAM_UNDER_TEST,
  WRONG_ENDPOINTS
} from '../testing/files.ts'
import { largeFileSuite } from '../testing/large-files.ts'

async function start(name: string) {
  const folder = makeFolder(name)
  const { files, stop, restart, ca, present, ...config } = await startVsftpd(folder)
  putFilesUnderTest(files)
  return {
    files,
    ca,
    async present(certificate: Certificate) {
      await present(certificate)
      return { tls: true }
    },
    config: { ...config, ...FILES_CONFIG },
    restart,
    async stop() {
      await stop()
      removeFolder(folder)
    }
  }
}

for (const tls of [false, true]) {
  driverContract(`${tls ? 'FTPS' : 'FTP'} as a source`, {
    sourceId: 'ftp',
    missing: missingVsftpd(),
    async start() {
      const { config, ca, present, stop, restart } = await start(tls ? 'drivers-ftps' : 'drivers-ftp')
      return {
        config: { ...config, tls, ...(tls && { ca }) },
        secrets: [config.password],
        steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
        wrong: {
          ...WRONG_ENDPOINTS,
          'a certificate that nobody vouches for': fault({ tls: true, ca: undefined }, 'tls', 'tls_failed', '/tls'),
          'a wrong password': fault({ password: 'wrong' }, 'authenticate', 'wrong_credentials', '/password'),
          'a folder that is not there': fault({ files: ['absent/*.csv'] }, 'list', 'not_found', '/files')
        },
        stream: STREAM_UNDER_TEST,
        present,
        stop,
        restart
      }
    }
  })
}

largeFileSuite('a large file by FTP', {
  sourceId: 'ftp',
  missing: missingVsftpd(),
  async start() {
    const { files, ...server } = await start('large-ftp')
    return { ...server, put: (path, content) => putFile(files, path, content, LONG_AGO) }
  }
})

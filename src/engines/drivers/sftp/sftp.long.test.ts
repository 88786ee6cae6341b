import { generateKeyPairSync } from 'node:crypto'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { missingSshd, startSshd } from '../../../../test/support/servers/sshd.ts'
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

const NOBODY = `SHA256:${'A'.repeat(43)}`

driverContract('SFTP as a source', {
  sourceId: 'sftp',
  missing: missingSshd(),
  async start() {
    const folder = makeFolder('drivers-sftp')
    const { host, port, user, privateKey, fingerprint, files, stop, restart } = await startSshd(folder)
    putFilesUnderTest(files)
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs1',
      format: 'pem'
    })
    return {
      config: { host, port, user, privateKey, hostKey: fingerprint, ...FILES_CONFIG },
      secrets: [privateKey, privateKey.split('\n')[1] as string],
      steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
      wrong: {
        ...WRONG_ENDPOINTS,
        'no key of the server': fault({ hostKey: undefined }, 'tls', 'tls_failed', '/hostKey'),
        'another key of the server': fault({ hostKey: NOBODY }, 'tls', 'tls_failed', '/hostKey'),
        'a key that the server does not know': fault(
          { privateKey: stranger },
          'authenticate',
          'wrong_credentials',
          '/privateKey'
        ),
        'a key that is none': fault({ privateKey: 'none' }, 'authenticate', 'wrong_credentials', '/privateKey'),
        'a password where the server takes none': fault(
          { privateKey: undefined, password: 'secret' },
          'authenticate',
          'wrong_credentials',
          '/password'
        ),
        'a folder that is not there': fault({ files: ['absent/*.csv'] }, 'list', 'not_found', '/files')
      },
      stream: STREAM_UNDER_TEST,
      async stop() {
        await stop()
        removeFolder(folder)
      },
      restart
    }
  }
})

largeFileSuite('a large file by SFTP', {
  sourceId: 'sftp',
  missing: missingSshd(),
  async start() {
    const folder = makeFolder('large-sftp')
    const { files, stop, restart, fingerprint: hostKey, ...config } = await startSshd(folder)
    return {
      config: { ...config, hostKey },
      put: (path, content) => putFile(files, path, content, LONG_AGO),
      async stop() {
        await stop()
        removeFolder(folder)
      },
      restart
    }
  }
})

import type { StoreKind } from '../../../engines/objects/index.ts'

/** The rights that the platform needs from a key. */
export type Right = 'list' | 'read' | 'write' | 'delete' | 'abort' | 'createBucket' | 'deleteBucket'

const AZURE = 'Microsoft.Storage/storageAccounts/blobServices/containers'
const FOLDER = 'access to the folder of the objects in DATA_DIR'

const NAMES: Readonly<Record<StoreKind, Readonly<Record<Right, string>>>> = {
  disk: {
    list: FOLDER,
    read: FOLDER,
    write: FOLDER,
    delete: FOLDER,
    abort: FOLDER,
    createBucket: FOLDER,
    deleteBucket: FOLDER
  },
  s3: {
    list: 's3:ListBucket',
    read: 's3:GetObject',
    write: 's3:PutObject',
    delete: 's3:DeleteObject',
    abort: 's3:AbortMultipartUpload',
    createBucket: 's3:CreateBucket',
    deleteBucket: 's3:DeleteBucket'
  },
  azure: {
    list: `${AZURE}/blobs/read`,
    read: `${AZURE}/blobs/read`,
    write: `${AZURE}/blobs/write`,
    delete: `${AZURE}/blobs/delete`,
    abort: `${AZURE}/blobs/write`,
    createBucket: `${AZURE}/write`,
    deleteBucket: `${AZURE}/delete`
  },
  gcs: {
    list: 'storage.objects.list',
    read: 'storage.objects.get',
    write: 'storage.objects.create',
    delete: 'storage.objects.delete',
    abort: 'storage.objects.delete',
    createBucket: 'storage.buckets.create',
    deleteBucket: 'storage.buckets.delete'
  }
}

/** The vendor's own name of a right. */
export function permissionFor(kind: StoreKind, right: Right): string {
  return NAMES[kind][right]
}

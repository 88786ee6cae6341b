import type { ObjectsSettings } from './config.ts'

/** The rights that reading needs and no others, as each vendor writes them. */
export function grantsFor({ kind, bucket, accessKey }: ObjectsSettings): string[] {
  switch (kind) {
    case 's3':
      return [
        JSON.stringify({
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: [`arn:aws:s3:::${bucket}`] },
            { Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${bucket}/*`] }
          ]
        })
      ]
    case 'gcs':
      return [
        `gcloud storage buckets add-iam-policy-binding gs://${bucket} --member=serviceAccount:${accessKey || 'ACCOUNT'} --role=roles/storage.objectViewer`
      ]
    case 'azure': // Keys of an account may do everything.
      return []
  }
}

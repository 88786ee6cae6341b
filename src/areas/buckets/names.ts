/** Why S3 would refuse a bucket name; undefined where it would not. */
export function bucketNameFault(name: string): string | undefined {
  return RULES.find(({ breaks }) => breaks(name))?.message
}

/** Why Azure would refuse a name that S3 takes. */
export function azureNameFault(name: string): string | undefined {
  return /\.|--/.test(name)
    ? 'must have no dots and no two hyphens in a row, because Azure keeps the bucket'
    : undefined
}

const RULES: readonly { message: string; breaks(name: string): boolean }[] = [
  { message: 'must have 3 to 63 characters', breaks: (name) => name.length < 3 || name.length > 63 },
  {
    message: 'must hold only lower-case letters, digits, dots and hyphens',
    breaks: (name) => !/^[a-z0-9.-]+$/.test(name)
  },
  { message: 'must begin and end with a letter or a digit', breaks: (name) => !/^[a-z0-9].*[a-z0-9]$/.test(name) },
  { message: 'must not have two dots in a row', breaks: (name) => name.includes('..') },
  { message: 'must not have a dot beside a hyphen', breaks: (name) => /\.-|-\./.test(name) },
  { message: 'must not look like an IP address', breaks: (name) => /^\d+\.\d+\.\d+\.\d+$/.test(name) },
  { message: 'must not begin with xn--', breaks: (name) => name.startsWith('xn--') },
  { message: 'must not begin with sthree-', breaks: (name) => name.startsWith('sthree-') },
  { message: 'must not begin with amzn-s3-demo-', breaks: (name) => name.startsWith('amzn-s3-demo-') },
  {
    message: 'must not end with -s3alias, --ol-s3, --x-s3 or .mrap',
    breaks: (name) => /(-s3alias|--ol-s3|--x-s3|\.mrap)$/.test(name)
  }
]

import { createRequire } from 'node:module'

const FILES = [
  'inter/400Regular/Inter_400Regular.ttf',
  'inter/600SemiBold/Inter_600SemiBold.ttf',
  'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'
]

/** The files of the fonts that pictures are made with, so that they look the same on every machine. */
export function fontFiles(): string[] {
  const require = createRequire(import.meta.url)
  return FILES.map((file) => require.resolve(`@expo-google-fonts/${file}`))
}

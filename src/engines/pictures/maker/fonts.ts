import { fileURLToPath } from 'node:url'

/** The files of the fonts that pictures are made with, so that they look the same on every machine. */
export function fontFiles(): string[] {
  return [
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf')
  ].map((address) => fileURLToPath(address))
}

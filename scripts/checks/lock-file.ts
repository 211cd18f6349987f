export interface Locked {
  version?: string
  license?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  link?: boolean
  resolved?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

export interface Lock {
  packages: Record<string, Locked>
}

const OS = /-(aix|android|darwin|freebsd|linux|openharmony|win32)-/
const CPU = /-(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64|wasm32)(?:-|$)/

/** Optional packages that a locked one names and that are not locked themselves, as a lock file would hold them. */
export function missingBinaries({ packages }: Lock): Array<Locked & { name: string }> {
  const missing = new Map<string, Locked & { name: string }>()
  for (const [path, parent] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`]) continue
      const os = OS.exec(name)?.[1]
      const cpu = CPU.exec(name)?.[1]
      if (!os || !cpu) continue
      const libc = /-linux-.*musl/.test(name) ? 'musl' : /-linux-.*gnu/.test(name) ? 'glibc' : null
      missing.set(name, {
        name,
        version,
        cpu: [cpu],
        ...(parent.dev && { dev: true }),
        ...(libc && { libc: [libc] }),
        ...(parent.license && { license: parent.license }),
        optional: true,
        os: [os],
      })
    }
  }
  return [...missing.values()]
}

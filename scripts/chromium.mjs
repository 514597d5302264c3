/**
 * Finds, and where it may installs, the Chromium that the end-to-end tests drive and whose SwiftShader serves Dawn
 * as a Vulkan driver on machines without a GPU.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * @typedef {{ env: NodeJS.ProcessEnv, platform: NodeJS.Platform, isExecutable: (path: string) => boolean }} Host
 * @typedef {{ executable: string, swiftshaderIcd?: string }} Chromium
 */

/** Names a Chromium goes by on PATH, the plainest first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** @type {Partial<Record<NodeJS.Platform, string[]>>} */
const USUAL_PLACES = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe'],
};

/** Folders in which Linux packages keep the driver, since their launcher on PATH is a script elsewhere. */
const LINUX_LIBRARIES = [
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/usr/lib64/chromium-browser',
  '/opt/google/chrome',
  '/snap/chromium/current/usr/lib/chromium-browser',
];

const ICD = 'vk_swiftshader_icd.json';

const HELP =
  'No Chromium was found. Install one (Debian: apt-get install chromium; other systems: Chromium or Google Chrome), ' +
  'or set the environment variable DUALGAP_CHROMIUM to the path of its executable.';

/** @returns {Host} */
function thisHost() {
  return { env: process.env, platform: process.platform, isExecutable };
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Every path at which a Chromium may lie, in order of preference: PATH, then the usual places of the platform.
 * @param {Host} host
 * @returns {string[]}
 */
function candidates({ env, platform }) {
  const suffix = platform === 'win32' ? '.exe' : '';
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + suffix)));
  const usual = USUAL_PLACES[platform] ?? [];
  if (platform !== 'win32') return [...onPath, ...usual];
  const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(
    (root) => root !== undefined,
  );
  return [...onPath, ...roots.flatMap((root) => usual.map((place) => join(root, place)))];
}

/**
 * Looks for SwiftShader's Vulkan manifest beside the executable, one versioned folder below it (macOS, Windows) and in
 * the library folders of Linux packages.
 * @param {string} executable
 * @returns {string | undefined}
 */
function findSwiftshaderIcd(executable) {
  const home = dirname(realpathSync(executable));
  const frameworks = join(home, '..', 'Frameworks');
  const versions = (existsSync(frameworks) ? readdirSync(frameworks) : [])
    .filter((name) => name.endsWith('.framework'))
    .map((name) => join(frameworks, name, 'Versions', 'Current', 'Libraries'));
  const below = readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+(\.\d+)+$/.test(entry.name))
    .map((entry) => join(home, entry.name));
  const libraries = process.platform === 'linux' ? LINUX_LIBRARIES : [];
  return [home, ...below, ...versions, ...libraries]
    .map((folder) => join(folder, ICD))
    .find((path) => existsSync(path));
}

/**
 * The Chromium of this machine: the one DUALGAP_CHROMIUM names, else one on PATH, else one in a usual place.
 * @param {Host} [host] the machine looked at; tests pass their own
 * @returns {Chromium | undefined} undefined when there is none
 * @throws {Error} when DUALGAP_CHROMIUM names something that cannot be executed
 */
export function findChromium(host = thisHost()) {
  const named = host.env.DUALGAP_CHROMIUM;
  if (named && !host.isExecutable(named)) {
    throw new Error(
      `DUALGAP_CHROMIUM is set to ${named}, which is not an executable file. Correct it or unset it.`,
    );
  }
  const executable = named || candidates(host).find((path) => host.isExecutable(path));
  if (executable === undefined) return undefined;
  const swiftshaderIcd = existsSync(executable) ? findSwiftshaderIcd(executable) : undefined;
  return swiftshaderIcd === undefined ? { executable } : { executable, swiftshaderIcd };
}

/**
 * The Chromium of this machine, installed with apt-get first where there is none and we are root on a Debian-like system.
 * @returns {Chromium}
 * @throws {Error} with what to install or set, when there is none and none can be installed
 */
export function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  const mayInstall =
    process.platform === 'linux' && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  if (!mayInstall) throw new Error(HELP);
  console.log("No Chromium was found: installing the distribution's with apt-get.");
  aptGet(['update']);
  aptGet(['install', '-y', '--no-install-recommends', 'chromium']);
  const installed = findChromium();
  if (installed === undefined) throw new Error(`apt-get ran, but: ${HELP}`);
  return installed;
}

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error } = spawnSync('apt-get', args, { stdio: 'inherit', env });
  if (status !== 0)
    throw new Error(`apt-get ${args[0]} failed (${error?.message ?? `status ${status}`}). ${HELP}`);
}

/**
 * Chromium's arguments for a quiet browser that talks to nobody but the page's own server.
 * @param {boolean} webgpu true: WebGPU with SwiftShader as its adapter; false: no adapter at all, the WASM path
 * @returns {string[]}
 */
export function launchArgs(webgpu) {
  const quiet = [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return webgpu ? [...quiet, '--enable-unsafe-webgpu'] : quiet;
}

/**
 * Environment variables that give Dawn in Node a Vulkan driver where the machine has none of its own: SwiftShader's, with
 * the Vulkan loader that Chromium keeps beside it. They must be set before the process starts: the system reads the
 * library path once.
 * @param {{ force?: boolean }} [options] force: SwiftShader even where the machine has a driver (tests, for sameness);
 *   a VK_DRIVER_FILES that is already set is kept all the same
 * @returns {Record<string, string>} empty where nothing need or can be set
 */
export function vulkanEnvironment({ force = false } = {}) {
  if (process.platform !== 'linux' || process.env.VK_DRIVER_FILES) return {};
  const manifests = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d'];
  const hasDriver = manifests.some((folder) => existsSync(folder) && readdirSync(folder).length > 0);
  const icd = hasDriver && !force ? undefined : findChromium()?.swiftshaderIcd;
  if (icd === undefined) return {};
  const libraries = [process.env.LD_LIBRARY_PATH, dirname(icd)].filter((path) => path).join(':');
  return { VK_DRIVER_FILES: icd, LD_LIBRARY_PATH: libraries };
}

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findChromium, launchArgs } from '../../scripts/chromium.mjs';

/** A Linux machine on which just these files can be executed. */
function linux(executables: string[], env: Record<string, string> = {}) {
  return {
    env: { PATH: '/opt/one:/opt/two', ...env },
    platform: 'linux' as const,
    isExecutable: (path: string) => executables.includes(path),
  };
}

it('takes the browser that DUALGAP_CHROMIUM names before any other', () => {
  const host = linux(['/mine/browser', '/opt/one/chromium'], { DUALGAP_CHROMIUM: '/mine/browser' });
  expect(findChromium(host)).toEqual({ executable: '/mine/browser' });
});

it('refuses a DUALGAP_CHROMIUM that is no program, even where there is another browser', () => {
  const host = linux(['/opt/one/chromium'], { DUALGAP_CHROMIUM: '/mine/gone' });
  expect(() => findChromium(host)).toThrow(/DUALGAP_CHROMIUM is set to \/mine\/gone/);
});

it('looks on PATH for chromium before google-chrome, then in the usual places', () => {
  const all = ['/opt/one/google-chrome', '/opt/two/chromium', '/opt/google/chrome/chrome'];
  expect(findChromium(linux(all))?.executable).toBe('/opt/two/chromium');
  expect(findChromium(linux(all.filter((path) => !path.endsWith('chromium'))))?.executable).toBe(
    '/opt/one/google-chrome',
  );
  expect(findChromium(linux(['/opt/google/chrome/chrome']))?.executable).toBe('/opt/google/chrome/chrome');
});

it('looks in the program folders of Windows', () => {
  const place = join('C:\\Programs', 'Google\\Chrome\\Application\\chrome.exe');
  const host = {
    env: { PATH: '', ProgramFiles: 'C:\\Programs' },
    platform: 'win32' as const,
    isExecutable: (path: string) => path === place,
  };
  expect(findChromium(host)?.executable).toBe(place);
});

it('says that there is none', () => {
  expect(findChromium(linux([]))).toBeUndefined();
  expect(findChromium({ env: {}, platform: 'freebsd', isExecutable: () => false })).toBeUndefined();
});

it('switches WebGPU on by one flag', () => {
  expect(launchArgs(true).filter((flag) => !launchArgs(false).includes(flag))).toEqual([
    '--enable-unsafe-webgpu',
  ]);
});

import { describe, expect, it } from 'vitest';
import { ScrollMapper } from '../../../../src/webview/list/scrollMapper.ts';

describe('ScrollSpace', () => {
  it('is the list itself while it is short', () => {
    const space = new ScrollMapper(1_000);
    expect(space.canvasHeight(800)).toBe(800);
    expect(space.homeOf(300, 800, 100)).toBe(300);
    expect(space.mustGoHome(0, 800, 100)).toBe(false);
  });

  it('takes a correction above the reader into the shift, and leaves the scroll position', () => {
    const space = new ScrollMapper(10_000);
    space.pin(550, 500);
    expect(space.toPlace(500)).toBe(550);
    expect(space.toCanvas(550)).toBe(500);
    expect(space.canvasHeight(800)).toBe(750);
  });

  it('reaches both ends of a list that no element could be as high as', () => {
    const space = new ScrollMapper(1_000);
    const total = 1_000_000;
    expect(space.canvasHeight(total)).toBe(1_000);
    expect(space.homeOf(0, total, 100)).toBe(0);
    expect(space.homeOf(total - 100, total, 100)).toBe(900);
    expect(space.placeOfJump(900, total, 100)).toBe(total - 100);
    expect(space.placeOfJump(450, total, 100)).toBe((total - 100) / 2);
  });

  it('goes home before an end of the canvas stops the reader short of the end of the list', () => {
    const space = new ScrollMapper(10_000);
    space.pin(5_000, 50);
    expect(space.mustGoHome(50, 8_000, 100)).toBe(true);
    space.pin(5_000, 4_900);
    expect(space.mustGoHome(4_900, 8_000, 100)).toBe(false);
  });
});

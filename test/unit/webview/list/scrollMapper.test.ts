import { describe, expect, it } from 'vitest';
import { ScrollMapper } from '../../../../src/webview/list/scrollMapper.ts';

describe('ScrollMapper', () => {
  it('maps a short list one to one', () => {
    const mapper = new ScrollMapper(1_000);
    expect(mapper.canvasHeight(800)).toBe(800);
    expect(mapper.centeredScrollTop(300, 800, 100)).toBe(300);
    expect(mapper.mustRecenter(0, 800, 100)).toBe(false);
  });

  it('absorbs a correction above the viewport in the shift and keeps the scroll position', () => {
    const mapper = new ScrollMapper(10_000);
    mapper.pin(550, 500);
    expect(mapper.toPlace(500)).toBe(550);
    expect(mapper.toCanvas(550)).toBe(500);
    expect(mapper.canvasHeight(800)).toBe(750);
  });

  it('reaches both ends of a list that is taller than an element can be', () => {
    const mapper = new ScrollMapper(1_000);
    const total = 1_000_000;
    expect(mapper.canvasHeight(total)).toBe(1_000);
    expect(mapper.centeredScrollTop(0, total, 100)).toBe(0);
    expect(mapper.centeredScrollTop(total - 100, total, 100)).toBe(900);
    expect(mapper.placeOfJump(900, total, 100)).toBe(total - 100);
    expect(mapper.placeOfJump(450, total, 100)).toBe((total - 100) / 2);
  });

  it('recenters before scrolling reaches the end of the canvas but not the end of the list', () => {
    const mapper = new ScrollMapper(10_000);
    mapper.pin(5_000, 50);
    expect(mapper.mustRecenter(50, 8_000, 100)).toBe(true);
    mapper.pin(5_000, 4_900);
    expect(mapper.mustRecenter(4_900, 8_000, 100)).toBe(false);
  });
});

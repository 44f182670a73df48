/** Who wants to ask about the cycles to come: their forecasts are kept as long as anybody does. */
import { computed, signal } from '@preact/signals';

export function createForecastWishes() {
  const wishes = signal(0);
  /** Whether the forecasts of the cycles to come are kept, so that it can be asked why their analyses are what they are. */
  const keepsForecasts = computed(() => wishes.value > 0);

  /** Has the forecasts of the cycles to come kept. @returns ends the wish, once */
  function wantForecasts(): () => void {
    let wanted = true;
    wishes.value += 1;
    return () => {
      if (wanted) wishes.value -= 1;
      wanted = false;
    };
  }

  return { keepsForecasts, wantForecasts };
}

package io.skep.bench;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Generates numbers from 1 to {@code count}. The number k has a frequency proportional to 1/k^exponent (Zipf's law).
 */
final class Zipf {
    private final double[] cumulative;

    Zipf(int count, double exponent) {
        cumulative = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += 1 / Math.pow(i + 1, exponent);
            cumulative[i] = sum;
        }
    }

    int next(RandomGenerator random) {
        double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
        int at = Arrays.binarySearch(cumulative, drawn);
        return Math.min(cumulative.length, (at < 0 ? -at - 1 : at) + 1);
    }
}

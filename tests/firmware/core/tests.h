/* Every test of the core, in one list: main.c runs them by name, tests/firmware/test_core.py reads the names. */
#ifndef TENSHU_TESTS_H
#define TENSHU_TESTS_H

extern const char *vectors_path;

#define TESTS(TEST)                                                                                           \
    TEST(vectors_of_the_checksum)                                                                             \
    TEST(vectors_of_the_board)                                                                                \
    TEST(vectors_to_the_board)                                                                                \
    TEST(a_piece_of_a_broken_order_is_no_typed_line)                                                          \
    TEST(a_line_too_long_for_any_kind_stays_within_its_bounds)                                                \
    TEST(numbers_at_their_ends)                                                                               \
    TEST(ratios_are_rounded_and_held)                                                                         \
    TEST(new_memory_gives_defaults)                                                                           \
    TEST(saved_settings_come_back)                                                                            \
    TEST(a_torn_write_falls_back_to_the_previous_copy)                                                        \
    TEST(a_flipped_bit_is_no_copy)                                                                            \
    TEST(generations_wrap)                                                                                    \
    TEST(memory_that_does_not_keep_is_told)                                                                   \
    TEST(first_readings_are_thrown_away)                                                                      \
    TEST(readings_at_the_end_of_the_range_are_a_fault_and_end)                                                \
    TEST(the_same_reading_over_and_over_is_a_fault)                                                           \
    TEST(a_lost_clock_is_a_fault_and_one_is_none)                                                             \
    TEST(a_tray_that_rests_where_readings_end_in_ones_has_no_fault)                                           \
    TEST(silence_is_a_fault_and_asks_for_a_restart)                                                           \
    TEST(a_hole_in_the_readings_skips_the_next)                                                               \
    TEST(a_cube_is_a_drop_with_its_mass)                                                                      \
    TEST(a_cube_taken_out_is_a_negative_drop)                                                                 \
    TEST(noise_and_drift_are_no_motion)                                                                       \
    TEST(a_blow_is_motion_without_a_drop)                                                                     \
    TEST(a_lone_spike_is_no_drop)                                                                             \
    TEST(the_threshold_follows_the_noise)                                                                     \
    TEST(a_threshold_of_a_person_is_kept)                                                                     \
    TEST(motion_that_does_not_end_is_told)                                                                    \
    TEST(any_readings_at_all_are_survived)                                                                    \
    TEST(the_first_lines_after_a_reset)                                                                       \
    TEST(tare_calibrate_and_weigh)                                                                            \
    TEST(a_load_too_light_to_calibrate_with)                                                                  \
    TEST(a_second_command_is_told_to_wait)                                                                    \
    TEST(nothing_is_weighed_while_it_moves_or_without_readings)                                               \
    TEST(four_refusals_a_second)                                                                              \
    TEST(lines_that_do_not_fit_are_counted_and_leave_a_hole)                                                  \
    TEST(the_trace_leaves_room_for_what_matters)                                                              \
    TEST(settings_survive_a_restart_and_a_broken_memory_is_named)                                             \
    TEST(reset_says_goodbye_first)                                                                            \
    TEST(time_wraps_after_49_days)

#define DECLARE(name) void name(void);
TESTS(DECLARE)

#endif

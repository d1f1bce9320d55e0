"""What we leave out of TensorFlow: names, so that none is taken for misspelt, and some arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import ProgramError

LEFT_OUT: dict[str, str] = {
    "": """
        AttrValue COMPILER_VERSION CXX11_ABI_FLAG ConditionalAccumulator
        ConditionalAccumulatorBase CriticalSection DType DeviceSpec Dimension Event FIFOQueue
        FixedLenFeature FixedLenSequenceFeature FixedLengthRecordReader GIT_VERSION GRAPH_DEF_VERSION
        GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER GraphDef GraphOptions HistogramProto
        IdentityReader IndexedSlices IndexedSlicesSpec LMDBReader LogMessage MONOLITHIC_BUILD MetaGraphDef
        Module NameAttrList NoGradient NodeDef NotDifferentiable OpError OptimizerOptions OptionalSpec
        PaddingFIFOQueue PriorityQueue QUANTIZED_DTYPES QueueBase RaggedTensor RaggedTensorSpec
        RandomShuffleQueue ReaderBase RunMetadata RunOptions SessionLog SparseConditionalAccumulator
        SparseFeature SparseTensor SparseTensorSpec SparseTensorValue Summary SummaryMetadata TFRecordReader
        TensorArraySpec TensorInfo TensorSpec TextLineReader TypeSpec VarLenFeature
        VariableAggregation VariableScope VariableSynchronization WholeFileReader add_to_collections angle
        app as_dtype as_string assert_integer
        assert_proper_iterable
        assert_rank_in assert_same_float_dtype assert_scalar assert_variables_initialized audio
        autograph batch_gather batch_scatter_update batch_to_space batch_to_space_nd betainc bfloat16
        bitcast bitwise broadcast_dynamic_shape broadcast_static_shape
        clip_by_average_norm colocate_with complex complex128 complex64 confusion_matrix conj container
        control_flow_v2_enabled convert_to_tensor_or_indexed_slices convert_to_tensor_or_sparse_tensor
        count_up_to create_partitioned_variables decode_base64 decode_compressed decode_csv
        decode_json_example decode_raw delete_session_tensor depth_to_space dequantize
        deserialize_many_sparse dimension_at_index dimension_value disable_control_flow_v2
        disable_resource_variables disable_tensor_equality disable_v2_tensorshape distributions dtypes
        edit_distance enable_control_flow_v2 enable_eager_execution
        enable_resource_variables enable_tensor_equality enable_v2_behavior enable_v2_tensorshape
        encode_base64 ensure_shape experimental extract_image_patches extract_volume_patches
        fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient fake_quant_with_min_max_vars
        fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel
        fake_quant_with_min_max_vars_per_channel_gradient feature_column fft fft2d fft3d fingerprint
        fixed_size_partitioner flags floor_div get_local_variable get_logger get_seed
        get_session_handle get_session_tensor get_static_value gfile grad_pass_through graph_util
        guarantee_const histogram_fixed_width histogram_fixed_width_bins identity_n ifft ifft2d ifft3d
        igamma igammac imag import_graph_def init_scope initialize_all_tables invert_permutation
        is_non_decreasing is_numeric_tensor is_strictly_increasing is_tensor lbeta
        lite load_file_system_library load_library load_op_library lookup make_ndarray make_template
        make_tensor_proto matching_files matrix_solve_ls matrix_square_root
        min_max_variable_partitioner model_variables nest no_gradient
        no_regularizer nondifferentiable_batch_function op_scope orthogonal_initializer
        parallel_stack parse_example parse_single_example parse_single_sequence_example parse_tensor
        polygamma profiler python_io pywrap_tensorflow qint16 qint32
        qint8 qr quantization quantize quantize_v2 quantized_concat queue quint16 quint8 ragged random_crop
        random_gamma random_poisson raw_ops read_file real realdiv recompute_grad reduce_join regex_replace
        register_tensor_conversion_function report_uninitialized_variables
        required_space_to_batch_paddings resource resource_loader resource_variables_enabled
        reverse_sequence scatter_max scatter_min scatter_nd_add scatter_nd_sub
        scatter_nd_update searchsorted segment_prod self_adjoint_eig self_adjoint_eigvals
        serialize_many_sparse serialize_sparse serialize_tensor sets shape_n signal
        space_to_batch space_to_batch_nd space_to_depth sparse sparse_add sparse_concat
        sparse_fill_empty_rows sparse_mask sparse_matmul sparse_maximum sparse_merge sparse_minimum
        sparse_placeholder sparse_reduce_max sparse_reduce_max_sparse sparse_reduce_sum
        sparse_reduce_sum_sparse sparse_reorder sparse_reset_shape sparse_reshape sparse_retain
        sparse_segment_mean sparse_segment_sqrt_n sparse_segment_sum sparse_slice sparse_softmax
        sparse_split sparse_tensor_dense_matmul sparse_tensor_to_dense sparse_to_dense sparse_to_indicator
        sparse_transpose spectral string_join string_split string_strip string_to_hash_bucket
        string_to_hash_bucket_fast string_to_hash_bucket_strong string_to_number strings substr svd
        switch_case sysconfig tables_initializer tensor_scatter_add tensor_scatter_nd_add
        tensor_scatter_nd_sub tensor_scatter_nd_update tensor_scatter_sub tensor_scatter_update timestamp
        to_bfloat16 to_complex128 to_complex64 tpu truncatemod uint16 uint32 uint64
        uniform_unit_scaling_initializer unravel_index unsorted_segment_max
        unsorted_segment_mean unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n user_ops
        variable_axis_size_partitioner variable_creator_scope variable_op_scope variant vectorized_map
        where_v2 wrap_function write_file xla zeta
    """,
    "nn": """
        all_candidate_sampler atrous_conv2d atrous_conv2d_transpose avg_pool1d
        avg_pool3d avg_pool_v2 batch_norm_with_global_normalization bidirectional_dynamic_rnn
        collapse_repeated compute_accidental_hits compute_average_loss conv1d conv1d_transpose
        conv2d_backprop_filter conv2d_backprop_input conv2d_transpose conv3d conv3d_backprop_filter
        conv3d_backprop_filter_v2 conv3d_transpose conv_transpose convolution ctc_beam_search_decoder
        ctc_beam_search_decoder_v2 ctc_greedy_decoder ctc_loss ctc_loss_v2 ctc_unique_labels depth_to_space
        depthwise_conv2d depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input
        depthwise_conv2d_native depthwise_conv2d_native_backprop_filter
        depthwise_conv2d_native_backprop_input dilation2d embedding_lookup_sparse erosion2d
        fixed_unigram_candidate_sampler fractional_avg_pool fractional_max_pool
        learned_unigram_candidate_sampler local_response_normalization log_poisson_loss
        log_uniform_candidate_sampler lrn max_pool1d max_pool3d max_pool_v2 max_pool_with_argmax
        nce_loss normalize_moments pool quantized_avg_pool quantized_conv2d quantized_max_pool
        quantized_relu_x raw_rnn relu_layer safe_embedding_lookup_sparse sampled_softmax_loss
        scale_regularization_loss separable_conv2d space_to_batch space_to_depth static_bidirectional_rnn
        static_state_saving_rnn sufficient_statistics uniform_candidate_sampler weighted_moments
        with_space_to_batch
    """,
    "train": """
        BytesList Checkpoint CheckpointManager CheckpointSaverHook CheckpointSaverListener
        ChiefSessionCreator ClusterDef ClusterSpec Coordinator Example Feature
        FeatureList FeatureLists Features FeedFnHook FinalOpsHook FloatList GlobalStepWaiterHook Int64List
        JobDef LoggingTensorHook LooperThread MonitoredSession MonitoredTrainingSession
        NanLossDuringTrainingError NanTensorHook NewCheckpointReader ProfilerHook QueueRunner SaverDef
        Scaffold SecondOrStepTimer SequenceExample Server ServerDef SessionCreator SessionManager
        SessionRunArgs SessionRunContext SessionRunHook SessionRunValues SingularMonitoredSession
        StepCounterHook StopAtStepHook SummarySaverHook Supervisor SyncReplicasOptimizer VocabInfo
        WorkerSessionCreator add_queue_runner assert_global_step basic_train_loop batch batch_join
        checkpoint_exists checkpoints_iterator do_quantize_training_on_graphdef experimental
        export_meta_graph generate_checkpoint_state_proto get_checkpoint_mtimes
        import_meta_graph init_from_checkpoint input_producer limit_epochs list_variables
        load_checkpoint load_variable match_filenames_once maybe_batch maybe_batch_join maybe_shuffle_batch
        maybe_shuffle_batch_join noisy_linear_cosine_decay queue_runner range_input_producer
        remove_checkpoint replica_device_setter sdca_fprint sdca_optimizer sdca_shrink_l1 shuffle_batch
        shuffle_batch_join slice_input_producer start_queue_runners string_input_producer summary_iterator
        update_checkpoint_state warm_start write_graph
    """,
    "math": """
        angle bessel_i0 bessel_i0e bessel_i1 bessel_i1e betainc confusion_matrix conj
        cumulative_logsumexp igamma igammac imag invert_permutation is_non_decreasing is_strictly_increasing
        lbeta nextafter polygamma polyval real reduce_euclidean_norm
        segment_prod unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod
        unsorted_segment_sqrt_n zeta
    """,
    "linalg": """
        LinearOperator LinearOperatorAdjoint LinearOperatorBlockDiag LinearOperatorCirculant
        LinearOperatorCirculant2D LinearOperatorCirculant3D LinearOperatorComposition LinearOperatorDiag
        LinearOperatorFullMatrix LinearOperatorHouseholder LinearOperatorIdentity LinearOperatorInversion
        LinearOperatorKronecker LinearOperatorLowRankUpdate LinearOperatorLowerTriangular
        LinearOperatorScaledIdentity LinearOperatorToeplitz LinearOperatorZeros eigh eigvalsh expm
        logdet logm lstsq lu matrix_rank matrix_transpose normalize pinv qr sqrtm svd tensor_diag
        tensor_diag_part tridiagonal_matmul tridiagonal_solve
    """,
    "losses": """
        mean_pairwise_squared_error
    """,
    "random": """
        all_candidate_sampler experimental fixed_unigram_candidate_sampler gamma get_seed
        learned_unigram_candidate_sampler log_uniform_candidate_sampler poisson stateless_categorical
        stateless_multinomial stateless_normal stateless_truncated_normal stateless_uniform
        uniform_candidate_sampler
    """,
}

# What to do instead of a function that every update of a variable is followed by.
CONSTRAINT = (
    "Write it as a step after the update: x.assign(tf.clip_by_value(x, low, high)).",
    "请把它写成更新之后的一步：x.assign(tf.clip_by_value(x, low, high))。",
)
PENALTY = (
    "Leave it out, and add what it stands for to the loss or after the update.",
    "请去掉它，把它的作用写进损失，或写成更新之后的一步。",
)


def refuse_given(function: str, left_out: Mapping[str, Any], hint: str, hint_zh: str) -> None:
    """Raises: ProgramError where a program gives one of the arguments of `tf.function` that we leave out."""
    function = function.removeprefix("tf.")
    for argument, value in left_out.items():
        if value is not None and value is not False:
            raise ProgramError(
                f"tf.{function} has no `{argument}` here.",
                message_zh=f"这里 tf.{function} 没有 `{argument}`。",
                hint=hint,
                hint_zh=hint_zh,
                code="unknown_argument",
            )

# For a machine with an NVIDIA GPU and its container toolkit; pip's own torch brings CUDA. It has not been built yet.
#
#     docker build --tag fieldguide .
#     docker run --gpus all --volume "$PWD":/guide --volume ~/.cache/huggingface:/root/.cache/huggingface fieldguide build
FROM python:3.12-slim
COPY . /opt/fieldguide
RUN pip install --no-cache-dir --constraint /opt/fieldguide/constraints.txt '/opt/fieldguide[embedded]'
WORKDIR /guide
ENTRYPOINT ["fieldguide"]
CMD ["--help"]
